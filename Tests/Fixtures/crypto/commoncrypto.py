"""Writes commoncrypto.json: vectors of NIST and of RFCs, which Python's `hashlib` and `cryptography` check, and padded texts that they make.

    python3 Tests/Fixtures/crypto/commoncrypto.py > Tests/Fixtures/crypto/commoncrypto.json
"""
import hashlib, hmac, json
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

raw = lambda text: bytes.fromhex(text.replace(" ", ""))


def check(computed, expected):
    assert computed == raw(expected), (computed.hex(), expected)
    return computed.hex()


digests = []
for source, text, values in [
    ("RFC 1321 section A.5, FIPS 180-4 examples", "abc", {
        "md5": "900150983cd24fb0d6963f7d28e17f72",
        "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
        "sha224": "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
        "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha384": "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
        "sha512": "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"}),
    ("RFC 1321 section A.5, RFC 6234 section 8.5", "", {
        "md5": "d41d8cd98f00b204e9800998ecf8427e",
        "sha1": "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}),
    ("FIPS 180-4 examples", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", {
        "sha1": "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
        "sha224": "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525",
        "sha256": "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}),
]:
    for name, value in values.items():
        digests.append({"source": source, "hash": name, "message": text.encode().hex(),
                        "digest": check(hashlib.new(name, text.encode()).digest(), value)})

macs = []
for source, key, message, codes in [
    ("RFC 2202 section 2", b"\x0b" * 16, b"Hi There", {"md5": "9294727a3638bb1c13f48ef8158bfc9d"}),
    ("RFC 2202 section 3", b"\x0b" * 20, b"Hi There", {"sha1": "b617318655057264e28bc0b6fb378c8ef146be00"}),
    ("RFC 4231 section 4.2", b"\x0b" * 20, b"Hi There", {
        "sha224": "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22",
        "sha256": "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        "sha384": "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
        "sha512": "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"}),
    ("RFC 4231 section 4.7", b"\xaa" * 131, b"Test Using Larger Than Block-Size Key - Hash Key First", {
        "sha256": "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"}),
]:
    for name, code in codes.items():
        macs.append({"source": source, "hash": name, "key": key.hex(), "message": message.hex(),
                     "code": check(hmac.new(key, message, name).digest(), code)})

keys = []
for source, name, password, salt, rounds, key in [
    ("RFC 6070", "sha1", "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
    ("RFC 6070", "sha1", "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
    ("RFC 6070", "sha1", "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
     "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"),
    ("RFC 6070", "sha1", "pass\0word", "sa\0lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"),
    ("RFC 7914 section 11", "sha256", "passwd", "salt", 1,
     "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"),
]:
    size = len(raw(key))
    keys.append({"source": source, "hash": name, "password": password.encode().hex(), "salt": salt.encode().hex(),
                 "rounds": rounds,
                 "key": check(hashlib.pbkdf2_hmac(name, password.encode(), salt.encode(), rounds, size), key)})
for name in ["sha224", "sha384", "sha512"]:
    keys.append({"source": "Python's hashlib", "hash": name, "password": b"passwd".hex(), "salt": b"salt".hex(), "rounds": 3,
                 "key": hashlib.pbkdf2_hmac(name, b"passwd", b"salt", 3, 40).hex()})

TEXT = ("6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710")
KEYS = {128: "2b7e151628aed2a6abf7158809cf4f3c", 192: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        256: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"}
IV, COUNTER = "000102030405060708090a0b0c0d0e0f", "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
MODES = {"ecb": lambda iv: modes.ECB(), "cbc": modes.CBC, "ctr": modes.CTR}


def encrypt(mode, key, iv, text):
    encryptor = Cipher(algorithms.AES(key), MODES[mode](iv)).encryptor()
    return encryptor.update(text) + encryptor.finalize()


ciphers = []
for section, mode, size, text in [
    ("F.1.1", "ecb", 128, "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
                          "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"),
    ("F.1.3", "ecb", 192, "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
                          "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e"),
    ("F.1.5", "ecb", 256, "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
                          "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7"),
    ("F.2.1", "cbc", 128, "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
                          "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"),
    ("F.2.3", "cbc", 192, "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
                          "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd"),
    ("F.2.5", "cbc", 256, "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
                          "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"),
    ("F.5.1", "ctr", 128, "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
                          "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"),
    ("F.5.5", "ctr", 256, "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
                          "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"),
]:
    iv = COUNTER if mode == "ctr" else IV
    ciphers.append({"source": "NIST SP 800-38A section " + section, "mode": mode, "padding": False, "key": KEYS[size],
                    "iv": iv, "text": raw(TEXT).hex(),
                    "ciphertext": check(encrypt(mode, raw(KEYS[size]), raw(iv), raw(TEXT)), text)})
for mode in ["ecb", "cbc"]:
    for count in [0, 1, 15, 16, 17, 33]:
        padder = padding.PKCS7(128).padder()
        text = raw(TEXT)[:count]
        padded = padder.update(text) + padder.finalize()
        ciphers.append({"source": "Python's cryptography", "mode": mode, "padding": True, "key": KEYS[256], "iv": IV,
                        "text": text.hex(), "ciphertext": encrypt(mode, raw(KEYS[256]), raw(IV), padded).hex()})

print(json.dumps({"digests": digests, "macs": macs, "keys": keys, "ciphers": ciphers}, indent=1))
