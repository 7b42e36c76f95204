import { basename, dirname } from 'node:path';

/** Files that every feature or server has, and those of contracts and routes, which are named after their audience. */
const FIXED =
  /^(app|collections|document|emails|env|env-fields|feature|features|labels|main|personal-data|pushes|retention|routes|rules|server|settings|store|types|.+-routes|.+-contract|contract)$/;
/** Files named after a subject of which they export types and one value. */
const BY_SUBJECT = new Set([
  // The interface of providers, and the error when they are silent.
  'api/features/payments/gateway.ts',
  // `durable` and `majority`: options of MongoDB.
  'shared/server/write-concern.ts',
]);
const CHECKED = /^(client|api|sync-server|shared|gateway)\/.+\.tsx?$/;
const VALUE = /^export (?:default )?(?:async )?(?:abstract )?(function\*?|const|let|class) (\w+)/gm;
const TYPE = /^export (?:interface|type) (\w+)/gm;
/** `#x` is private at run time, too. A constructor can't be. */
const PRIVATE = /^\s+private (?!constructor\b)/;
/** Times that have a name in `shared/time.ts`. */
const LONG_TIME = /\b(?:60_000|3_600_000|86_400_000)\b/;

const kebab = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

/** Whether a file is named after the one value that it exports: components, hooks and classes exactly, functions by a word. */
function isNamedAfter(file: string, kind: string, name: string, types: string[]): boolean {
  const base = basename(file).replace(/\.tsx?$/, '');
  if (base === kebab(name) || types.some((type) => base === kebab(type))) return true;
  const isExact =
    kind === 'class' || /^use[A-Z]/.test(name) || (file.endsWith('.tsx') && /^[A-Z]/.test(name));
  return (
    !isExact &&
    kebab(name)
      .split('-')
      .some((word) => base.includes(word.slice(0, 4)))
  );
}

/**
 * Finds files that are not named after what they export, and members that are private by TypeScript only, and times without their name.
 * @param files paths from the root of the repository
 * @param read returns the text of a file
 * @returns one line per problem
 */
export function nameProblems(files: readonly string[], read: (file: string) => string): string[] {
  const problems: string[] = [];
  for (const file of files) {
    if (!/\.tsx?$/.test(file)) continue;
    const text = read(file);
    for (const [index, line] of text.split('\n').entries())
      if (PRIVATE.test(line)) problems.push(`${file}:${index + 1}: private; use #`);
      else if (LONG_TIME.test(line) && CHECKED.test(file))
        problems.push(`${file}:${index + 1}: use MINUTE_MS, HOUR_MS or DAY_MS`);
    const base = basename(file).replace(/\.tsx?$/, '');
    if (!CHECKED.test(file) || FIXED.test(base) || BY_SUBJECT.has(file)) continue;
    if (dirname(file).endsWith('/migrations')) continue;
    const values = [...text.matchAll(VALUE)];
    const [first] = values;
    const types = [...text.matchAll(TYPE)].map(([, name = '']) => name);
    if (values.length === 1 && !isNamedAfter(file, first![1]!, first![2]!, types))
      problems.push(`${file}: exports ${first![2]!}; name the file after it`);
  }
  return problems;
}
