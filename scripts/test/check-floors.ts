import { dirname, join } from 'node:path/posix';

/**
 * The floors of each tree, the lowest first. A module imports its own floor and lower ones; decision 398 says why. A tree without
 * floors is one.
 */
const FLOORS: Record<string, readonly string[]> = {
  client: ['platform', 'features', 'app'],
  api: ['platform', 'features', 'app'],
  'sync-server': ['core', 'plugins', 'bus', 'wire'],
  shared: [],
  scripts: [],
};

/** Features without a `feature.ts`, because they have nothing to register there. */
const REGISTERS_NOTHING: Record<string, string> = {
  'client/features/account': 'a section of the settings screen',
  'client/features/geocoder': 'fields and notes in the forms of other features',
  'client/features/invitations': 'tabs of the social screen',
  'client/features/payments': 'parts of the screens where people pay, and a tab for admins',
  'client/features/walkers': 'a question on the dashboard and at the gate',
  'client/features/weather': 'cards of the dashboard',
  'api/features/openstreetmap': 'an import that `scripts/cli` runs',
  'api/features/relationships': 'rows that friends registers, and chat and blocks read',
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
 * Returns the part of a floor that a module belongs to: its folder, or a folder in one that only groups others, such as `platform/ui`.
 * Null for the modules beside the folders, which put them together.
 * @param floor its folder
 * @param own the folders that have modules of their own
 */
function partOf(file: string, floor: string, own: ReadonlySet<string>): string | null {
  let part = floor;
  for (const folder of dirname(file).slice(floor.length).split('/').slice(1)) {
    part += `/${folder}`;
    if (own.has(part)) return part;
  }
  return null;
}

/**
 * Finds imports up a floor, and folders of a floor that import each other in a circle.
 * @param files paths from the root of the repository
 * @param read returns the text of a file
 * @returns one line per problem
 */
export function floorProblems(files: readonly string[], read: (file: string) => string): string[] {
  const problems: string[] = [];
  const modules = files.filter((file) => /\.tsx?$/.test(file));
  const own = new Set(modules.map((file) => dirname(file)));
  for (const [tree, floors] of Object.entries(FLOORS)) {
    const levelOf = (file: string) => {
      const [root, floor = ''] = file.split('/');
      if (root !== tree) return -1;
      return floors.length === 0 ? 0 : floors.indexOf(floor);
    };
    const parts = new Map<string, Set<string>>();
    for (const file of modules) {
      const level = levelOf(file);
      if (level === -1) continue;
      for (const imported of importsOf(file, read(file))) {
        if (levelOf(imported) > level)
          problems.push(`${file}: imports ${imported}, which is a floor up`);
        if (levelOf(imported) !== level) continue;
        const floor = floors.length === 0 ? tree : `${tree}/${floors[level]}`;
        const [part, other] = [partOf(file, floor, own), partOf(imported, floor, own)];
        if (part === null || other === null || part === other) continue;
        parts.set(part, (parts.get(part) ?? new Set()).add(other));
      }
    }
    for (const circle of circlesOf(parts))
      problems.push(`${circle.join(', ')} import each other in a circle`);
  }
  return problems;
}

/** Finds features without a `feature.ts`, and listed ones that have one. */
export function featureProblems(files: readonly string[]): string[] {
  const features = new Map<string, boolean>();
  for (const file of files) {
    const [folder] = /^(client|api)\/features\/[^/]+(?=\/)/.exec(file) ?? [];
    if (folder)
      features.set(folder, features.get(folder) === true || file === `${folder}/feature.ts`);
  }
  return [...features].flatMap(([folder, registers]) => {
    const isListed = Object.hasOwn(REGISTERS_NOTHING, folder);
    if (registers === !isListed) return [];
    return registers
      ? `${folder}: has a feature.ts; remove it from REGISTERS_NOTHING`
      : `${folder}: has no feature.ts`;
  });
}
