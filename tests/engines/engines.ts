import type { ProvidedContext } from 'vitest';
import type { Engine } from './engine.ts';
import { chromium, firefox } from './puppeteer.ts';
import { webkit } from './webkit.ts';

/** The engines of these tests: those of ENGINES (names separated by commas), or all. */
export const engines: Engine[] = [webkit, firefox, chromium].filter(({ name }) =>
  (process.env['ENGINES'] ?? name).split(',').includes(name),
);

export type Scheme = keyof ProvidedContext['products'];

/** The schemes of the journeys: those of SCHEMES (names separated by commas), or https, as in production. */
const schemes = (process.env['SCHEMES'] ?? 'https').split(',') as Scheme[];

/** Each engine with each scheme. */
export const journeys = engines.flatMap((engine) =>
  schemes.map((scheme) => ({ engine, scheme, title: `${engine.name} over ${scheme}` })),
);
