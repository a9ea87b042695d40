import dns from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { promisify } from 'node:util';

const forbidden = new BlockList();
forbidden.addSubnet('10.0.0.0', 8);
forbidden.addSubnet('127.0.0.0', 8, 'ipv4');
forbidden.addRange('192.168.0.0', '192.168.255.255');
forbidden.addAddress('::1', 'ipv6');

const lookupOld = promisify(dns.lookup);

async function addresses(hostname) {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare)) return [bare];
  const [{ address }, [first]] = await Promise.all([lookup(hostname, { family: 4 }), lookup(hostname, { all: true, family: 4 })]);
  const old = await lookupOld(hostname, { family: 4 });
  const viaCallback = await new Promise((resolve, reject) => {
    dns.lookup(hostname, 4, (error, found, family) => (error ? reject(error) : resolve(family === 4 ? found : null)));
  });
  return [...new Set([address, first.address, old.address, viaCallback])];
}

export const createHook = () => ({
  async run(point, { args }) {
    const { hostname } = new URL(args.url);
    const found = await addresses(hostname);
    const bad = found.filter((address) => forbidden.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));
    return bad.length > 0 ? { action: 'block', reason: `${hostname} is ${bad.join(' and ')}` } : { action: 'allow' };
  },
});
