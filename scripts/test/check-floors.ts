import { dirname, join } from 'node:path/posix';

/** The floors of each tree, the lowest first. A module imports its own floor and lower ones; decision 398 says why. */
const FLOORS: Record<string, readonly string[]> = {
  client: ['platform', 'features', 'app'],
  api: ['platform', 'features', 'app'],
  'sync-server': ['core', 'plugins', 'bus', 'wire'],
};

/** Pairs of features without which there would be no circle. To be turned; the list only becomes shorter. */
const KNOWN_PAIRS: Record<string, readonly string[]> = {
  api: ['access-gate → payments', 'friends → chat'],
};

const IMPORT = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.[^'?]+)[^']*'/g;

/** Returns the files that a module imports, also when it runs, and as types. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path));
}

/** Returns groups of folders that import each other in a circle. */
function circlesOf(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reach = new Map(
    [...imports.keys()].map((start) => {
      const found = new Set<string>();
      const waiting = [start];
      for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
        for (const next of imports.get(folder) ?? [])
          if (!found.has(next)) {
            found.add(next);
            waiting.push(next);
          }
      return [start, found] as const;
    }),
  );
  const circles = new Map<string, string[]>();
  for (const [folder, found] of reach) {
    if (!found.has(folder)) continue;
    const circle = [...found].filter((other) => reach.get(other)?.has(folder)).toSorted();
    circles.set(circle.join(' '), circle);
  }
  return [...circles.values()];
}

/**
 * Finds imports up a floor, and features that import each other in a circle.
 * @param files paths from the root of the repository
 * @param read returns the text of a file
 * @returns one line per problem
 */
export function floorProblems(files: readonly string[], read: (file: string) => string): string[] {
  const problems: string[] = [];
  for (const [tree, floors] of Object.entries(FLOORS)) {
    const features = new Map<string, Set<string>>();
    const unseen = new Set(KNOWN_PAIRS[tree]);
    const levelOf = (file: string) => {
      const [root, floor = '', feature] = file.split('/');
      return { level: root === tree ? floors.indexOf(floor) : -1, floor, feature: feature ?? '' };
    };
    for (const file of files) {
      if (!file.startsWith(`${tree}/`) || !/\.tsx?$/.test(file)) continue;
      const own = levelOf(file);
      if (own.level === -1) continue;
      for (const imported of importsOf(file, read(file))) {
        const other = levelOf(imported);
        if (other.level > own.level)
          problems.push(`${file}: imports ${imported}, which is a floor up`);
        if (own.floor !== 'features' || other.floor !== 'features') continue;
        if (own.feature === other.feature) continue;
        const pair = `${own.feature} → ${other.feature}`;
        if (KNOWN_PAIRS[tree]?.includes(pair)) {
          unseen.delete(pair);
          continue;
        }
        const known = features.get(own.feature) ?? new Set();
        features.set(own.feature, known.add(other.feature));
      }
    }
    if (features.size > 0)
      for (const pair of unseen)
        problems.push(`${tree}/features: ${pair} is turned; remove it from KNOWN_PAIRS`);
    for (const circle of circlesOf(features))
      problems.push(`${tree}/features: ${circle.join(', ')} import each other in a circle`);
  }
  return problems;
}
