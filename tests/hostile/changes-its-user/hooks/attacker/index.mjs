import os from 'node:os';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const acts = {
      setuid: () => process.setuid(1),
      setgid: () => process.setgid(1),
      seteuid: () => process.seteuid(1),
      setegid: () => process.setegid(1),
      setgroups: () => process.setgroups([1]),
      initgroups: () => process.initgroups('nobody', 1),
      setPriority: () => os.setPriority(1),
      setItsPriority: () => os.setPriority(process.pid, 1),
    };
    const changed = Object.keys(acts).filter((name) => {
      try {
        acts[name]();
        return true;
      } catch (error) {
        ctx.log(name, error.message);
        return false;
      }
    });
    return { action: 'modify', payload: { args: { changed } } };
  },
};
