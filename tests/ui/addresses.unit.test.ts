// @vitest-environment jsdom
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchRoutes } from 'react-router-dom';
import { expect, test } from 'vitest';
import { ROUTES } from '../../client/app/routes.tsx';
import { features } from '../../client/platform/features.ts';
import '../../client/app/features.ts';

/** Links and redirects of screens, and what pushes open. */
const LINK = /\b(?:to=\{?|to: |navigate\(|path: )['"`](\/[^'"`?#]*)/g;

const paths = [...ROUTES, ...features().flatMap(({ screens = [] }) => screens)].map(
  ({ path }) => path,
);
const overlays = features().flatMap((feature) => Object.keys(feature.overlays ?? {}));

test('no two screens or overlays have one address', () => {
  // Visitors and members see a charity in different frames.
  expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual(['/charities/:id']);
  expect(new Set(overlays).size).toBe(overlays.length);
});

test('each link leads to an address of the route table', () => {
  const routes = paths.filter((path) => path !== '*').map((path) => ({ path }));
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  const files = [
    ...filesIn('client').filter((file) => /\.tsx?$/.test(file)),
    ...filesIn('api').filter((file) => file.endsWith('pushes.ts')),
  ];
  const links = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(LINK)].map(([, path = '']) => ({ file, path })),
  );
  expect(links.length).toBeGreaterThan(50);
  const broken = links.filter(({ path }) => !matchRoutes(routes, path.replace(/\$\{.*/, 'an-id')));
  expect(broken).toEqual([]);
});
