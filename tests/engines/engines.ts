import type { Engine } from './engine.ts';
import { chromium, firefox } from './puppeteer.ts';
import { webkit } from './webkit.ts';

/** The engines of these tests: those of ENGINES (names separated by commas), or all. */
export const engines: Engine[] = [webkit, firefox, chromium].filter(({ name }) =>
  (process.env['ENGINES'] ?? name).split(',').includes(name),
);
