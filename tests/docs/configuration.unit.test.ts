import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationPage } from '../../scripts/docs/configuration.ts';

test('docs/configuration.md is what `npm run configuration` writes', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
  expect(page).toBe(configurationPage());
});
