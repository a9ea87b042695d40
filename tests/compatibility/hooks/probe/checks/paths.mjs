import path from 'node:path';
import querystring from 'node:querystring';
import url from 'node:url';

const PATHS = ['', '.', '/', '/a/b/../c/./d.tar.gz', 'a//b', '../x', '/a/b/', 'C:\\a\\b.txt', '.hidden', 'a/.b.c'];

const ofPath = (module) => ({
  basename: () => [PATHS.map((text) => module.basename(text)), module.basename('/a/b.html', '.html')],
  dirname: () => PATHS.map((text) => module.dirname(text)),
  extname: () => PATHS.map((text) => module.extname(text)),
  isAbsolute: () => PATHS.map((text) => module.isAbsolute(text)),
  normalize: () => PATHS.map((text) => module.normalize(text)),
  parse: () => PATHS.map((text) => module.parse(text)),
  format: () => [module.format({ dir: '/a', base: 'b.c' }), module.format({ root: '/', name: 'x', ext: '.y' }), module.format({ name: 'x', ext: 'y' })],
  join: () => [module.join('a', '..', '..', 'b'), module.join(), module.join('/a', '/b', '', 'c/')],
  resolve: () => [module.resolve('/a', '../b', 'c'), module.resolve('/a', '/b', './c'), module.resolve() === process.cwd()],
  relative: () => [module.relative('/a/b/c', '/a/d'), module.relative('/a', '/a'), module.relative('/a/b', '/a/b/c/d')],
  toNamespacedPath: () => module.toNamespacedPath('/a/b'),
  sep: () => module.sep,
  delimiter: () => module.delimiter,
  posix: () => module.posix === path.posix,
  win32: () => [module.win32.join('a', 'b'), module.win32.parse('C:\\a\\b.txt'), module.win32.relative('C:\\a', 'C:\\b\\c')],
});

const { resolve: _, ...ofWindows } = ofPath(path.win32);

const ADDRESSES = [
  'http://user:pa%20ss@sub.example.com:8080/p/a/t/h?query=string&b=2#hash',
  'file:///a/b%20c',
  'mailto:a@b.c',
  '/relative?x=1',
  'https://xn--mnchen-3ya.de/ü?ü=ü',
  '//host/path',
];

export const checks = {
  path: ofPath(path),
  'path/posix': ofPath(path.posix),
  'path/win32': ofWindows,
  querystring: {
    parse: () => [querystring.parse('a=1&b=2&a=3&c=%20x+y&d'), querystring.parse('a:1;b:2', ';', ':'), querystring.parse('a=1&b=2&c=3', '&', '=', { maxKeys: 2 })],
    decode: () => querystring.decode('a=%E4%BD%A0'),
    stringify: () => [querystring.stringify({ a: [1, 2], b: 'x y', c: '', d: true, e: null }), querystring.stringify({ a: 1, b: 2 }, ';', ':')],
    encode: () => querystring.encode({ ä: 'ü' }),
    escape: () => querystring.escape("a b&c='ü'"),
    unescape: () => [querystring.unescape('a%20b%zz'), querystring.unescape('%E4%BD%A0')],
    unescapeBuffer: () => querystring.unescapeBuffer('a%20b'),
  },
  url: {
    URL: () => ADDRESSES.map((text) => {
      try {
        const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = new url.URL(text);
        return { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash };
      } catch (error) {
        return [error.name, error.code, error.input];
      }
    }),
    'URL.canParse': () => [url.URL.canParse('a:b'), url.URL.canParse('x'), url.URL.canParse('x', 'http://a')],
    URLSearchParams() {
      const params = new url.URLSearchParams({ a: '1', b: 'x y' });
      params.append('a', '2');
      params.sort();
      return [params.toString(), params.getAll('a'), [...params], params.has('b', 'x y'), params.size];
    },
    Url: () => Object.keys(new url.Url()).sort(),
    domainToASCII: () => [url.domainToASCII('español.com'), url.domainToASCII('中文.com'), url.domainToASCII('xn--iñvalid.com')],
    domainToUnicode: () => [url.domainToUnicode('xn--espaol-zwa.com'), url.domainToUnicode('xn--fiq228c.com')],
    fileURLToPath: () => {
      const wrong = (text) => {
        try {
          return url.fileURLToPath(text);
        } catch (error) {
          return [error.name, error.code];
        }
      };
      return [url.fileURLToPath('file:///a/b%20c'), url.fileURLToPath(new URL('file:///ä')), wrong('http://a/b'), wrong('file:///a%2Fb'), wrong('file://host/a'), wrong(1)];
    },
    pathToFileURL: () => [url.pathToFileURL('/a b/c#d?e%f').href, url.pathToFileURL('/ä/\n').href, url.pathToFileURL('/a/') instanceof URL],
    format: () => [
      url.format({ protocol: 'http', host: 'a.b', pathname: '/c', query: { d: 'e' } }),
      url.format(new URL('http://u:p@測試.com/p?a=b#c'), { auth: false, fragment: false, unicode: true }),
      url.format('http://a.b/c?d'),
    ],
    parse: () => ADDRESSES.map((text) => ({ ...url.parse(text, true) })),
    resolve: () => [url.resolve('/one/two/three', 'four'), url.resolve('http://example.com/', '/one'), url.resolve('http://example.com/one', '../two')],
    resolveObject: () => url.resolveObject('http://a.b/c', 'd').href,
    urlToHttpOptions: () => url.urlToHttpOptions(new URL('https://a:b@測試/p?abc=1#d')),
  },
};
