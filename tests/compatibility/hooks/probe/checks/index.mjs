import { checks as crypto } from './crypto.mjs';
import { checks as data } from './data.mjs';
import { checks as fs } from './fs.mjs';
import { checks as internals } from './internals.mjs';
import { checks as network } from './network.mjs';
import { checks as paths } from './paths.mjs';
import { checks as processes } from './processes.mjs';
import { checks as rest } from './rest.mjs';
import { checks as streams } from './streams.mjs';
import { checks as system } from './system.mjs';

/** For each built-in module of Node, by what they are about: functions that return what must be the same everywhere. */
export const checks = { ...fs, ...paths, ...crypto, ...data, ...processes, ...system, ...network, ...streams, ...internals, ...rest };
