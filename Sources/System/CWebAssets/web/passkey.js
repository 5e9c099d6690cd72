// Forms that ask the browser for a passkey. `data-passkey` has what the browser is asked, as JSON with bytes in base64url:
// with `user` to make a passkey, else to sign with one. Without JavaScript or passkeys the forms stay hidden.

const decode = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const encode = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!window.PublicKeyCredential) {
    const missing = document.getElementById("passkey-missing");
    if (missing) missing.hidden = false;
    continue;
  }
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    if (form.elements.id.value) return;
    event.preventDefault();
    ask(form);
  });
}

async function ask(form) {
  const problem = form.querySelector(".alert");
  problem.hidden = true;
  problem.role = "alert";
  const options = JSON.parse(form.dataset.passkey);
  options.challenge = decode(options.challenge);
  try {
    if (options.user) {
      options.user.id = decode(options.user.id);
      for (const known of options.excludeCredentials) known.id = decode(known.id);
      const { rawId, response } = await navigator.credentials.create({ publicKey: options });
      fill(form, { id: rawId, client_data: response.clientDataJSON, authenticator_data: response.getAuthenticatorData() });
    } else {
      const { rawId, response } = await navigator.credentials.get({ publicKey: options });
      fill(form, {
        id: rawId, client_data: response.clientDataJSON, authenticator_data: response.authenticatorData,
        signature: response.signature, user: response.userHandle ?? new ArrayBuffer(0),
      });
    }
  } catch (error) {
    problem.textContent = error.name === "InvalidStateError" ? "This device has a passkey for this account already." : "No passkey was used.";
    problem.hidden = false;
    return;
  }
  form.requestSubmit(form.querySelector("button"));
}

function fill(form, values) {
  for (const [name, value] of Object.entries(values)) form.elements[name].value = encode(value);
}
