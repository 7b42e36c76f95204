import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from './configuration.ts';

/** `npm run configuration`: writes docs/configuration.md. */
writeFileSync(join(import.meta.dirname, '../../docs/configuration.md'), configurationPage());
