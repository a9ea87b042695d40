import crypto from 'node:crypto';

import { CERTIFICATE } from './certificate.mjs';

const TEXT = 'The quick brown fox';
const KEY = Buffer.alloc(32, 7);
const IV = Buffer.alloc(16, 9);

function called(start) {
  return new Promise((resolve, reject) => start((error, ...values) => (error ? reject(error) : resolve(values.length > 1 ? values : values[0]))));
}

function encrypted(name, key, iv, options) {
  const cipher = crypto.createCipheriv(name, key, iv, options);
  if (options) cipher.setAAD(Buffer.from('aad'), { plaintextLength: TEXT.length });
  const text = Buffer.concat([cipher.update(TEXT, 'utf8'), cipher.final()]);
  return [text, options ? cipher.getAuthTag() : null];
}

function decrypted(name, key, iv, [text, tag], options) {
  const decipher = crypto.createDecipheriv(name, key, iv, options);
  if (options) {
    decipher.setAAD(Buffer.from('aad'), { plaintextLength: TEXT.length });
    decipher.setAuthTag(tag);
  }
  return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
}

/** Made once: that takes long. */
let pair;
const rsa = () => (pair ??= crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }));

const signed = (kind, options, hash) => {
  const { privateKey, publicKey } = kind === 'rsa' ? rsa() : crypto.generateKeyPairSync(kind, options);
  const signature = crypto.sign(hash, Buffer.from(TEXT), privateKey);
  return [crypto.verify(hash, Buffer.from(TEXT), publicKey, signature), crypto.verify(hash, Buffer.from('other'), publicKey, signature), privateKey.asymmetricKeyType];
};

const thrown = (start) => {
  try {
    return start();
  } catch (error) {
    return [error.name, error.code];
  }
};

const agreed = (curve) => {
  const a = crypto.createECDH(curve);
  const b = crypto.createECDH(curve);
  a.generateKeys();
  b.generateKeys();
  return [a.computeSecret(b.getPublicKey()).equals(b.computeSecret(a.getPublicKey())), a.getPublicKey('hex', 'compressed').length];
};

export const checks = {
  crypto: {
    createHash: () => ['md5', 'sha1', 'sha256', 'sha384', 'sha512', 'sha512-256', 'sha3-256', 'ripemd160', 'RSA-SHA256', 'blake2b512'].map((name) => [name, thrown(() => crypto.createHash(name).update('a').update(Buffer.from('b')).digest('hex'))]),
    'createHash: encodings': () => ['hex', 'base64', 'base64url', 'latin1'].map((encoding) => crypto.createHash('sha256').update(TEXT).digest(encoding)),
    'createHash: shake256 with a length': () => crypto.createHash('shake256', { outputLength: 8 }).update(TEXT).digest('hex'),
    'createHash: an unknown name': () => thrown(() => crypto.createHash('nonsense')),
    'createHash: copy'() {
      const hash = crypto.createHash('sha256').update('a');
      return [hash.copy().update('b').digest('hex'), hash.update('c').digest('hex'), thrown(() => hash.update('d'))];
    },
    'createHash: as a stream': () => new Promise((resolve) => {
      const hash = crypto.createHash('sha256');
      hash.on('readable', () => {
        const data = hash.read();
        if (data) resolve(data.toString('hex'));
      });
      hash.end(TEXT);
    }),
    Hash: () => crypto.createHash('md5') instanceof crypto.Hash,
    hash: () => crypto.hash('sha1', TEXT),
    createHmac: () => ['md5', 'sha1', 'sha256', 'sha512'].map((name) => crypto.createHmac(name, 'key').update(TEXT).digest('hex')),
    Hmac: () => crypto.createHmac('md5', 'k') instanceof crypto.Hmac,
    getHashes: () => ['sha1', 'sha256', 'sha512', 'md5', 'RSA-SHA256'].map((name) => crypto.getHashes().includes(name)),
    getCiphers: () => ['aes-256-cbc', 'aes-128-gcm', 'aes-256-gcm', 'aes-256-ctr', 'chacha20-poly1305'].map((name) => crypto.getCiphers().includes(name)),
    getCurves: () => ['secp256k1', 'prime256v1', 'secp384r1', 'secp521r1'].map((name) => crypto.getCurves().includes(name)),
    getCipherInfo: () => [crypto.getCipherInfo('aes-256-cbc'), crypto.getCipherInfo('none')],
    createCipheriv: () => [
      ['aes-128-cbc', 16, 16], ['aes-192-cbc', 24, 16], ['aes-256-cbc', 32, 16], ['aes-256-ctr', 32, 16], ['aes-128-ecb', 16, 0],
    ].map(([name, key, iv]) => {
      const at = iv === 0 ? null : IV.subarray(0, iv);
      return thrown(() => {
        const result = encrypted(name, KEY.subarray(0, key), at);
        return [name, result[0], decrypted(name, KEY.subarray(0, key), at, result)];
      });
    }),
    'createCipheriv: gcm': () => ['aes-128-gcm', 'aes-256-gcm'].map((name) => {
      const key = KEY.subarray(0, name === 'aes-128-gcm' ? 16 : 32);
      const iv = IV.subarray(0, 12);
      const result = encrypted(name, key, iv, { authTagLength: 16 });
      return [result, decrypted(name, key, iv, result, { authTagLength: 16 })];
    }),
    'createCipheriv: chacha20-poly1305'() {
      const result = encrypted('chacha20-poly1305', KEY, IV.subarray(0, 12), { authTagLength: 16 });
      return [result, decrypted('chacha20-poly1305', KEY, IV.subarray(0, 12), result, { authTagLength: 16 })];
    },
    createDecipheriv: () => [
      thrown(() => decrypted('aes-256-gcm', KEY, IV.subarray(0, 12), [encrypted('aes-256-gcm', KEY, IV.subarray(0, 12), {})[0], Buffer.alloc(16)], {})),
      thrown(() => crypto.createDecipheriv('aes-256-cbc', 'short', IV)),
      thrown(() => crypto.createDecipheriv('nonsense', KEY, IV)),
    ],
    Cipheriv: () => crypto.createCipheriv('aes-256-cbc', KEY, IV) instanceof crypto.Cipheriv,
    Decipheriv: () => crypto.createDecipheriv('aes-256-cbc', KEY, IV) instanceof crypto.Decipheriv,
    createSign() {
      const { privateKey, publicKey } = rsa();
      const signature = crypto.createSign('SHA256').update(TEXT).sign(privateKey);
      return [signature.length, crypto.createVerify('RSA-SHA256').update(TEXT).verify(publicKey, signature), crypto.createVerify('SHA256').update('x').verify(publicKey, signature)];
    },
    createVerify() {
      const { privateKey, publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const signature = crypto.createSign('sha256').update(TEXT).sign(privateKey, 'hex');
      return crypto.createVerify('sha256').update(TEXT).verify(publicKey, signature, 'hex');
    },
    Sign: () => crypto.createSign('SHA256') instanceof crypto.Sign,
    Verify: () => crypto.createVerify('SHA256') instanceof crypto.Verify,
    sign: () => [signed('rsa', {}, 'sha256'), signed('ec', { namedCurve: 'P-256' }, 'sha256'), signed('ed25519', {}, null)],
    'sign: secp256k1': () => signed('ec', { namedCurve: 'secp256k1' }, 'sha256'),
    'sign: ed448': () => signed('ed448', {}, null),
    'sign: rsa-pss': () => signed('rsa-pss', { modulusLength: 1024 }, 'sha256'),
    'sign: padding'() {
      const { privateKey, publicKey } = rsa();
      const pss = { padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
      const signature = crypto.sign('sha256', Buffer.from(TEXT), { key: privateKey, ...pss });
      return crypto.verify('sha256', Buffer.from(TEXT), { key: publicKey, ...pss }, signature);
    },
    'sign: ieee-p1363'() {
      const { privateKey, publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const signature = crypto.sign('sha256', Buffer.from(TEXT), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return [signature.length, crypto.verify('sha256', Buffer.from(TEXT), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)];
    },
    async 'sign: with a callback'() {
      const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
      const signature = await called((done) => crypto.sign(null, Buffer.from(TEXT), privateKey, done));
      return called((done) => crypto.verify(null, Buffer.from(TEXT), publicKey, signature, done));
    },
    verify: () => {
      const { publicKey } = crypto.generateKeyPairSync('ed25519');
      return crypto.verify(null, Buffer.from(TEXT), publicKey, Buffer.alloc(64));
    },
    publicEncrypt() {
      const { privateKey, publicKey } = rsa();
      const one = crypto.publicEncrypt(publicKey, Buffer.from(TEXT));
      const two = crypto.publicEncrypt({ key: publicKey, padding: crypto.constants.RSA_PKCS1_PADDING }, Buffer.from(TEXT));
      return [crypto.privateDecrypt(privateKey, one).toString(), two.length];
    },
    privateDecrypt() {
      const { privateKey, publicKey } = rsa();
      const options = { oaepHash: 'sha256', padding: crypto.constants.RSA_PKCS1_OAEP_PADDING };
      return crypto.privateDecrypt({ key: privateKey, ...options }, crypto.publicEncrypt({ key: publicKey, ...options }, Buffer.from(TEXT))).toString();
    },
    privateEncrypt() {
      const { privateKey, publicKey } = rsa();
      return crypto.publicDecrypt(publicKey, crypto.privateEncrypt(privateKey, Buffer.from(TEXT))).toString();
    },
    publicDecrypt: () => typeof crypto.publicDecrypt,
    randomBytes: async () => [crypto.randomBytes(16).length, crypto.randomBytes(8).equals(crypto.randomBytes(8)), (await called((done) => crypto.randomBytes(4, done))).length],
    pseudoRandomBytes: () => crypto.pseudoRandomBytes(4).length,
    prng: () => crypto.prng(4).length,
    rng: () => crypto.rng(4).length,
    randomInt: async () => [crypto.randomInt(1), crypto.randomInt(5, 6), await called((done) => crypto.randomInt(1, done)), thrown(() => crypto.randomInt(0))],
    randomFillSync: () => crypto.randomFillSync(Buffer.alloc(32)).some((byte) => byte !== 0),
    randomFill: async () => (await called((done) => crypto.randomFill(new Uint8Array(8), done))).length,
    randomUUID: () => [/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()), crypto.randomUUID() === crypto.randomUUID()],
    getRandomValues: () => crypto.getRandomValues(new Uint8Array(4)).length,
    scryptSync: () => crypto.scryptSync('pass', 'salt', 32, { N: 1024, r: 8, p: 1 }),
    scrypt: () => called((done) => crypto.scrypt('pass', 'salt', 16, done)),
    pbkdf2Sync: () => [crypto.pbkdf2Sync('pass', 'salt', 10, 32, 'sha512'), thrown(() => crypto.pbkdf2Sync('p', 's', 1, 8, 'nonsense'))],
    pbkdf2: () => called((done) => crypto.pbkdf2('pass', 'salt', 10, 32, 'sha256', done)),
    hkdfSync: () => crypto.hkdfSync('sha256', 'key', 'salt', 'info', 42),
    hkdf: () => called((done) => crypto.hkdf('sha512', 'key', 'salt', 'info', 64, done)),
    timingSafeEqual: () => [crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('a')), crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('b')), thrown(() => crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('ab')))],
    createSecretKey() {
      const key = crypto.createSecretKey(KEY);
      return [key.type, key.symmetricKeySize, key.export(), key.export({ format: 'jwk' }), key.equals(crypto.createSecretKey(KEY))];
    },
    createPrivateKey() {
      const { privateKey } = crypto.generateKeyPairSync('ed25519', { privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } });
      const key = crypto.createPrivateKey(privateKey);
      return [key.type, key.asymmetricKeyType, key.export({ type: 'pkcs8', format: 'pem' }) === privateKey, Object.keys(key.export({ format: 'jwk' })).sort()];
    },
    'createPrivateKey: encrypted'() {
      const { privateKey } = rsa();
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' });
      return [pem.split('\n')[0], crypto.createPrivateKey({ key: pem, passphrase: 'secret' }).equals(privateKey)];
    },
    createPublicKey() {
      const { privateKey, publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-384' });
      const derived = crypto.createPublicKey(privateKey);
      const again = crypto.createPublicKey({ key: publicKey.export({ format: 'jwk' }), format: 'jwk' });
      return [derived.type, derived.asymmetricKeyDetails, derived.equals(publicKey), again.equals(publicKey)];
    },
    KeyObject: () => [crypto.createSecretKey(KEY) instanceof crypto.KeyObject],
    generateKeyPairSync() {
      const { privateKey, publicKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 512, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs1', format: 'pem' } });
      return [publicKey.split('\n')[0], privateKey.split('\n')[0]];
    },
    generateKeyPair: async () => {
      const [publicKey, privateKey] = await called((done) => crypto.generateKeyPair('x25519', {}, done));
      return [publicKey.asymmetricKeyType, privateKey.type];
    },
    generateKeySync: () => [crypto.generateKeySync('hmac', { length: 64 }).symmetricKeySize, crypto.generateKeySync('aes', { length: 256 }).symmetricKeySize],
    generateKey: async () => (await called((done) => crypto.generateKey('aes', { length: 128 }, done))).symmetricKeySize,
    generatePrimeSync: () => [crypto.checkPrimeSync(crypto.generatePrimeSync(64)), typeof crypto.generatePrimeSync(32, { bigint: true })],
    generatePrime: async () => crypto.checkPrimeSync(await called((done) => crypto.generatePrime(64, done))),
    checkPrimeSync: () => [crypto.checkPrimeSync(97n), crypto.checkPrimeSync(98n)],
    checkPrime: () => called((done) => crypto.checkPrime(97n, done)),
    createDiffieHellman() {
      const a = crypto.createDiffieHellman(crypto.getDiffieHellman('modp14').getPrime());
      const b = crypto.createDiffieHellman(a.getPrime(), a.getGenerator());
      a.generateKeys();
      b.generateKeys();
      return a.computeSecret(b.getPublicKey()).equals(b.computeSecret(a.getPublicKey()));
    },
    DiffieHellman: () => crypto.createDiffieHellman(crypto.getDiffieHellman('modp14').getPrime()) instanceof crypto.DiffieHellman,
    createDiffieHellmanGroup: () => crypto.createDiffieHellmanGroup('modp14').getPrime().length,
    DiffieHellmanGroup: () => crypto.getDiffieHellman('modp14') instanceof crypto.DiffieHellmanGroup,
    getDiffieHellman() {
      const a = crypto.getDiffieHellman('modp14');
      const b = crypto.getDiffieHellman('modp14');
      a.generateKeys();
      b.generateKeys();
      return a.computeSecret(b.getPublicKey()).equals(b.computeSecret(a.getPublicKey()));
    },
    diffieHellman() {
      const a = crypto.generateKeyPairSync('x25519');
      const b = crypto.generateKeyPairSync('x25519');
      return crypto.diffieHellman({ privateKey: a.privateKey, publicKey: b.publicKey }).equals(crypto.diffieHellman({ privateKey: b.privateKey, publicKey: a.publicKey }));
    },
    createECDH: () => [agreed('prime256v1'), agreed('secp384r1'), agreed('secp256k1')],
    'createECDH: secp521r1': () => agreed('secp521r1'),
    ECDH() {
      const key = crypto.createECDH('secp256k1');
      key.setPrivateKey(Buffer.alloc(32, 1));
      return [key instanceof crypto.ECDH, key.getPublicKey('hex'), crypto.ECDH.convertKey(key.getPublicKey(), 'secp256k1', undefined, 'hex', 'compressed')];
    },
    constants: () => crypto.constants,
    Certificate: () => [typeof crypto.Certificate, typeof crypto.Certificate.verifySpkac],
    X509Certificate() {
      const certificate = new crypto.X509Certificate(CERTIFICATE);
      return [certificate.subject, certificate.issuer, certificate.serialNumber, certificate.fingerprint256, certificate.validTo, certificate.ca, certificate.publicKey.asymmetricKeyType];
    },
    'X509Certificate: checks'() {
      const certificate = new crypto.X509Certificate(CERTIFICATE);
      return [certificate.checkHost('localhost'), certificate.verify(certificate.publicKey), certificate.toString().split('\n').length > 5];
    },
    fips: () => crypto.fips,
    getFips: () => crypto.getFips(),
    setFips: () => crypto.setFips(false),
    setEngine: () => typeof crypto.setEngine,
    secureHeapUsed: () => crypto.secureHeapUsed(),
    subtle: async () => Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(TEXT))),
    webcrypto: async () => {
      const { subtle } = crypto.webcrypto;
      const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']);
      const iv = new Uint8Array(12);
      const text = await subtle.decrypt({ name: 'AES-GCM', iv }, key, await subtle.encrypt({ name: 'AES-GCM', iv }, key, Buffer.from(TEXT)));
      return [Buffer.from(text).toString(), crypto.webcrypto === globalThis.crypto];
    },
    'webcrypto: key of a KeyObject': () => crypto.KeyObject.from === undefined ? 'none' : typeof crypto.KeyObject.from,
  },
};
