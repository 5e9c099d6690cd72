"""Writes cryptokit.json: values that Python's `cryptography` made, and vectors of RFCs and of NIST, which it checks.

    python3 Tests/Fixtures/crypto/cryptokit.py > Tests/Fixtures/crypto/cryptokit.json
"""
import hashlib, hmac, json
from cryptography.hazmat.primitives import hashes, serialization as ser
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, x25519
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF

H = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}
raw = lambda text: bytes.fromhex(text.replace(" ", ""))
take = lambda seed, count: hashlib.shake_256(seed.encode()).digest(count)


def check(computed, expected):
    assert computed == raw(expected), (computed.hex(), expected)
    return computed.hex()


macs = []
for section, key, message, codes in [
    ("4.2", b"\x0b" * 20, b"Hi There", {
        "sha256": "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        "sha384": "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
        "sha512": "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"}),
    ("4.3", b"Jefe", b"what do ya want for nothing?", {
        "sha256": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"}),
    ("4.7", b"\xaa" * 131, b"Test Using Larger Than Block-Size Key - Hash Key First", {
        "sha256": "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"}),
]:
    for name, code in codes.items():
        macs.append({"source": "RFC 4231 section " + section, "hash": name, "key": key.hex(), "message": message.hex(),
                     "code": check(hmac.new(key, message, name).digest(), code)})

derivations = []


def derive(source, name, secret, salt, info, length, expected=None):
    key = HKDF(H[name], length, salt, info).derive(secret)
    derivations.append({"source": source, "hash": name, "secret": secret.hex(), "salt": salt.hex(), "info": info.hex(),
                        "key": check(key, expected) if expected else key.hex()})


derive("RFC 5869 A.1", "sha256", b"\x0b" * 22, bytes(range(13)), bytes(range(0xF0, 0xFA)), 42,
       "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
derive("RFC 5869 A.3", "sha256", b"\x0b" * 22, b"", b"", 42,
       "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
for name in H:
    for length in (16, 32, 255):
        derive("cryptography", name, take(name, 32), take("salt", 20), take("info", 7), length)

x963 = []
for name in H:
    for length in (16, 32, 100):
        secret, info = take(name, 48), take("info", 9)
        x963.append({"hash": name, "secret": secret.hex(), "info": info.hex(),
                     "key": X963KDF(H[name], length, info).derive(secret).hex()})

boxes = []


def seal(source, cipher, key, nonce, text, data, expected=None):
    sealed = {"gcm": AESGCM, "chacha": ChaCha20Poly1305}[cipher](key).encrypt(nonce, text, data)
    if expected:
        check(sealed, expected)
    boxes.append({"source": source, "cipher": cipher, "key": key.hex(), "nonce": nonce.hex(), "text": text.hex(),
                  "data": data.hex(), "ciphertext": sealed[:-16].hex(), "tag": sealed[-16:].hex()})


gcm_key = raw("feffe9928665731c6d6a8f9467308308")
gcm_text = raw("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
gcm_data = raw("feedfacedeadbeeffeedfacedeadbeefabaddad2")
gcm_nonce = raw("cafebabefacedbaddecaf888")
seal("NIST GCM test case 1", "gcm", bytes(16), bytes(12), b"", b"", "58e2fccefa7e3061367f1d57a4e7455a")
seal("NIST GCM test case 4", "gcm", gcm_key, gcm_nonce, gcm_text, gcm_data,
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
     "5bc94fbc3221a5db94fae95ae7121a47")
seal("NIST GCM test case 16", "gcm", gcm_key * 2, gcm_nonce, gcm_text, gcm_data,
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
     "76fc6ece0f4e1768cddf8853bb2d551b")
seal("RFC 8439 section 2.8.2", "chacha", bytes(range(0x80, 0xA0)), raw("070000004041424344454647"),
     b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
     raw("50515253c0c1c2c3c4c5c6c7"),
     "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116"
     "1ae10b594f09e26a7e902ecbd0600691")
for bits in (128, 192, 256):
    for nonce in (12, 16, 60):
        for text in (0, 1, 16, 1000):
            seal("cryptography", "gcm", take("key", bits // 8), take("nonce", nonce), take("text", text), take("data", text % 37))
for text in (0, 1, 64, 1000):
    seal("cryptography", "chacha", take("key", 32), take("nonce", 12), take("text", text), take("data", text % 37))

PEM, DER = ser.Encoding.PEM, ser.Encoding.DER
plain, spki = ser.NoEncryption(), ser.PublicFormat.SubjectPublicKeyInfo
keys = []
for name, curve, hash_name, width, scalar in [
    ("P256", ec.SECP256R1(), "sha256", 32, "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"),
    ("P384", ec.SECP384R1(), "sha384", 48, "6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d896d5724e4c70a825f872c9ea60d2edf5"),
    ("P521", ec.SECP521R1(), "sha512", 66, "00fad06daa62ba3b25d2fb40133da757205de67f5bb0018fee8c86e1b68c7e75caa896eb32f1f47c70855836a6d16fcc1466f6d8fbec67db89ec0c08b0e996b83538"),
]:
    key = ec.derive_private_key(int(scalar, 16), curve)  # the keys of RFC 6979 appendix A.2
    peer = ec.derive_private_key(int.from_bytes(take(name, width - 1), "big"), curve)
    public = key.public_key()
    point = lambda k, form: k.public_bytes(ser.Encoding.X962, form).hex()
    U, C = ser.PublicFormat.UncompressedPoint, ser.PublicFormat.CompressedPoint
    keys.append({
        "curve": name, "scalar": scalar, "point": point(public, U), "compressed": point(public, C),
        "pkcs8": key.private_bytes(PEM, ser.PrivateFormat.PKCS8, plain).decode().strip(),
        "sec1": key.private_bytes(PEM, ser.PrivateFormat.TraditionalOpenSSL, plain).decode().strip(),
        "spki": public.public_bytes(PEM, spki).decode().strip(),
        "message": b"sample".hex(), "signature": key.sign(b"sample", ec.ECDSA(H[hash_name])).hex(),
        "peer": point(peer.public_key(), U), "shared": key.exchange(ec.ECDH(), peer.public_key()).hex(),
    })
# RFC 6979 appendix A.2.5, P-256 and SHA-256, message "sample"
r, s = ("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
        "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
ec.derive_private_key(int(keys[0]["scalar"], 16), ec.SECP256R1()).public_key().verify(
    encode_dss_signature(int(r, 16), int(s, 16)), b"sample", ec.ECDSA(H["sha256"]))
keys[0]["rfc6979"] = r + s

agreement = []


def agree(source, secret, public, expected=None):
    key = x25519.X25519PrivateKey.from_private_bytes(secret)
    shared = key.exchange(x25519.X25519PublicKey.from_public_bytes(public))
    agreement.append({"source": source, "secret": secret.hex(), "public": key.public_key().public_bytes_raw().hex(),
                      "peer": public.hex(), "shared": check(shared, expected) if expected else shared.hex()})


agree("RFC 7748 section 6.1", raw("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"),
      raw("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"),
      "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
for seed in "abc":
    peer = x25519.X25519PrivateKey.from_private_bytes(take("peer" + seed, 32))
    agree("cryptography", take(seed, 32), peer.public_key().public_bytes_raw())

signatures = []


def sign(source, secret, message, public=None, expected=None):
    key = ed25519.Ed25519PrivateKey.from_private_bytes(secret)
    made, signature = key.public_key().public_bytes_raw(), key.sign(message)
    if public:
        check(made, public), check(signature, expected)
    signatures.append({"source": source, "secret": secret.hex(), "public": made.hex(), "message": message.hex(),
                       "signature": signature.hex()})


sign("RFC 8032 section 7.1, test 1", raw("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"), b"",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b")
sign("RFC 8032 section 7.1, test 2", raw("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"), b"\x72",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
for length in (1, 64, 1023):
    sign("cryptography", take("ed", 32), take("message", length))

print(json.dumps({"macs": macs, "derivations": derivations, "x963": x963, "boxes": boxes, "keys": keys,
                  "agreement": agreement, "signatures": signatures}, indent=1))
