import url, { domainToASCII, domainToUnicode, fileURLToPath, format, pathToFileURL, urlToHttpOptions } from 'node:url';
import querystring from 'node:querystring';
import { isIP } from 'node:net';
import { isIPv4 } from 'net';

const PRIVATE = [/^10\./, /^127\./, /^169\.254\./, /^192\.168\./];

function clean(target) {
  const copy = new URL(target);
  for (const name of [...copy.searchParams.keys()]) if (name.startsWith('utm_')) copy.searchParams.delete(name);
  copy.searchParams.sort();
  copy.hash = '';
  return copy;
}

export function createHook() {
  return {
    run(point, { args }) {
      if (args.url.startsWith('/')) {
        const { pathname, query } = url.parse(args.url, true);
        const again = querystring.stringify({ ...query, n: 1 });
        return { action: 'ask', reason: `${pathname} ${again} ${JSON.stringify(querystring.parse('a=1&a=2&b'))}` };
      }
      if (!URL.canParse(args.url)) return { action: 'block', reason: `${fileURLToPath(pathToFileURL('/tmp/a b#c'))} is as little a URL as ${args.url}` };
      const target = new URL(args.url);
      if (isIP(target.hostname) !== 0 && PRIVATE.some((range) => range.test(target.hostname))) {
        return { action: 'block', reason: `${target.hostname} is private (IPv4: ${isIPv4(target.hostname)})` };
      }
      if (target.username) {
        const { hostname, port, auth, path } = urlToHttpOptions(target);
        const shown = format(target, { auth: false, unicode: true });
        return { action: 'ask', reason: `${auth} at ${hostname} ${port} ${path}: ${shown} ${domainToASCII('español.com')} ${domainToUnicode('xn--espaol-zwa.com')}` };
      }
      const better = clean(target);
      return better.href === target.href ? { action: 'allow' } : { action: 'modify', payload: { args: { url: better.href } } };
    },
  };
}
