import { posix, win32 } from 'path';

const styleOf = (file) => (/^[a-zA-Z]:[\\/]|^\\\\/.test(file) ? win32 : posix);

export class RootsHook {
  #roots;

  constructor(roots) {
    this.#roots = roots.map((root) => ({ root, style: styleOf(root) }));
  }

  run(point, { args: { path: file } }) {
    const style = styleOf(file);
    const { root: device } = style.parse(file);
    if (device === '') {
      const plain = posix.normalize(file);
      return plain.startsWith('../') ? { action: 'block', reason: `${plain} climbs out` } : { action: 'allow' };
    }
    if (style === win32 && device.startsWith('\\\\')) return { action: 'block', reason: `network path on ${device}` };
    const home = this.#roots.find((entry) => entry.style === style);
    const way = style.relative(home.root, file);
    if (way.startsWith('..')) return { action: 'block', reason: `${style.basename(file)} is at ${style.normalize(file)}` };
    return { action: 'modify', payload: { args: { path: way.split(style.sep).join('/') } } };
  }
}

export const createHook = ({ roots }) => new RootsHook(roots);
