import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const policy = Buffer.from(JSON.stringify({ blocked: ['shell'] }));
writeFileSync('policy.json', policy);
writeFileSync('forged.json', JSON.stringify({ blocked: [] }));
writeFileSync('policy.sig', sign(null, policy, privateKey).toString('base64'));
writeFileSync('policy.pub', publicKey.export({ type: 'spki', format: 'pem' }));
