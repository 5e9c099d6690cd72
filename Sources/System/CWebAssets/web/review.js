// The picture of the review, which the page has with one pixel a point, as sharp as the screen is.
const form = document.getElementById("send");
const image = document.querySelector(".preview .shown");
if (form && image && devicePixelRatio > 1) {
  const body = new FormData(form);
  body.set("action", "card");
  const response = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { Accept: "image/jpeg" } });
  if (response.status === 200) image.src = URL.createObjectURL(await response.blob());
}
