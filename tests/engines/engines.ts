import type { Engine } from './engine.ts';
import { webkit } from './webkit.ts';

/** The engines of these tests: those of ENGINES (names separated by commas), or all. */
export const engines: Engine[] = [webkit].filter(({ name }) =>
  (process.env['ENGINES'] ?? name).split(',').includes(name),
);
