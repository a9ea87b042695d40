import * as s from 'shapely';
import nonEmpty from 'shapely/extra/non-empty.js';

const shapes = {
  create_user: s.object({ name: nonEmpty(s.string()), age: s.integer(), tags: s.array(s.string()) }),
};

export default {
  run(point, { toolName, args }) {
    const shape = shapes[toolName];
    if (!shape) return { action: 'ask', reason: `no schema for ${toolName}` };
    try {
      shape.parse(args);
      return { action: 'allow' };
    } catch (error) {
      if (error instanceof s.ShapeError) return { action: 'block', reason: `${error.name}: ${error.message}` };
      throw error;
    }
  },
};
