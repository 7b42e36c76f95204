import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { featureProblems, floorProblems } from './check-floors.ts';
import { nameProblems } from './check-names.ts';

/** Words of a former private vocabulary, and the term to use instead. */
const WITHDRAWN: Record<string, string> = {
  anew: 'again',
  aside: 'ineligible, unplaced or in a worker',
  awake: 'loaded',
  beat: 'batch',
  circle: 'contacts',
  circles: 'contacts',
  comer: 'visitor',
  deed: 'action',
  deeds: 'actions',
  desk: 'dashboard',
  desks: 'dashboards',
  figures: 'metrics',
  foresight: 'prediction',
  front: 'gateway',
  gone: 'removed',
  heard: 'received or announced',
  held: 'personal data, or held for review',
  holding: 'personal data',
  holdings: 'personal data',
  kept: 'stored or cached',
  lane: 'writer',
  letter: 'email',
  letters: 'emails',
  lookout: 'proximity service or proximity monitor',
  measures: 'sanctions',
  news: 'changes',
  owe: 'pending',
  owed: 'pending',
  seal: 'signature or hash',
  seals: 'signatures or hashes',
  standin: 'sandbox',
  standing: 'account status, relationship or session',
  tell: 'notify',
  teller: 'broadcaster',
  telling: 'notice',
  tells: 'notifies',
  told: 'notified',
  upkeep: 'maintenance',
  whoever: 'the user',
  wishes: 'preferences',
};

/** A feature's files in `shared/` that take its numbers from `rules.ts`. */
const HAS_NO_NUMBERS = /^shared\/[\w-]+\/(contract|admin-contract|schemas|document)\.ts$/;
const NUMBER = /^(?:export )?const ([A-Z][A-Z\d_]*) = -?\d/gm;

const MAX_FILES_IN_FOLDER = 20;
/** Decisions are found by their index. */
const LARGE_FOLDERS = new Set(['docs/decisions']);

/** The text of an exception: `messageOf` decides whether people may read it. */
const EXCEPTION_TEXT =
  /\b\w*(?:error|refusal|cause|exception|failure|reason|problem|err)(?: as \w+\))?\??\.(?:message|stack)\b|\bString\(\w*(?:error|cause|reason|err)\)|\$\{\w*(?:error|cause|err)\}/i;
const MAY_READ_EXCEPTIONS = new Set([
  'client/platform/http/error-message.ts',
  // Logs, word for word as the specification wants it.
  'client/platform/session/auth.ts',
]);

const EXPORT =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
const EXPORT_LIST = /^export (?:type )?\{([^}]*)\}/gm;

const CONSTRUCTOR_PARAMETERS_MAX = 4;
/** A constructor and its parameters, of which a formatted file has each in one line, or each in a line of its own. */
const CONSTRUCTOR = /^  constructor\((?:(.*)\) \{|\n((?: {4}.*\n)*) {2}\) \{)/gm;

/** Returns how many parameters a constructor has, at most: commas within types and defaults count, too. */
function parametersOf(inLine = '', inLines = ''): number {
  if (inLines) return inLines.split('\n').filter((line) => /^ {4}[\w{]/.test(line)).length;
  return inLine.replaceAll(/[{[<(][^{[<(]*?[}\]>)]/g, '').split(',').length;
}

/** Splits a name in camelCase, kebab-case or CONSTANT_CASE into lowercase words. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/stand[-_]?in(?![a-z])/gi, 'Standin')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

/** Returns the names that a module exports. */
function exportsOf(text: string): string[] {
  const declared = [...text.matchAll(EXPORT)].map(([, name = '']) => name);
  const listed = [...text.matchAll(EXPORT_LIST)].flatMap(([, list = '']) =>
    list.split(',').map((item) => item.split(' as ').at(-1)!.trim()),
  );
  return [...declared, ...listed.filter(Boolean)];
}

/**
 * Finds withdrawn words in the names of files and exports, folders with too many files, constructors with too many
 * parameters, and screens that read the text of an exception.
 * @param files paths from the root of the repository
 * @param read returns the text of a file
 * @returns one line per problem
 */
export function structureProblems(files: string[], read: (file: string) => string): string[] {
  const problems: string[] = [];
  const check = (place: string, name: string) => {
    for (const word of wordsOf(name))
      if (Object.hasOwn(WITHDRAWN, word))
        problems.push(`${place}: "${word}" in "${name}" is withdrawn; use ${WITHDRAWN[word]}`);
  };
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
    if (!/\.(tsx?|css)$/.test(file)) continue;
    if (file.startsWith('client/') && !MAY_READ_EXCEPTIONS.has(file))
      for (const [index, line] of read(file).split('\n').entries())
        if (EXCEPTION_TEXT.test(line))
          problems.push(`${file}:${index + 1}: shows the text of an exception; use messageOf`);
    if (HAS_NO_NUMBERS.test(file))
      for (const [, name] of read(file).matchAll(NUMBER))
        problems.push(`${file}: ${name} is a number; numbers are in ${folder}/rules.ts`);
    if (!/^(tests|bench)\//.test(file))
      for (const [, inLine, inLines] of read(file).matchAll(CONSTRUCTOR))
        if (parametersOf(inLine, inLines) > CONSTRUCTOR_PARAMETERS_MAX)
          problems.push(
            `${file}: a constructor with more than ${CONSTRUCTOR_PARAMETERS_MAX} parameters; use named options`,
          );
    check(file, basename(file));
    for (const name of exportsOf(read(file))) check(file, name);
  }
  for (const [folder, count] of counts)
    if (count > MAX_FILES_IN_FOLDER && !LARGE_FOLDERS.has(folder))
      problems.push(`${folder}: ${count} files; at most ${MAX_FILES_IN_FOLDER} are allowed`);
  return problems;
}

if (process.argv[1] === import.meta.filename) {
  const files = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    {
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((file) => file && existsSync(file));
  const read = (file: string) => readFileSync(file, 'utf8');
  const problems = [structureProblems, floorProblems, featureProblems, nameProblems].flatMap(
    (find) => find(files, read),
  );
  for (const problem of problems) console.error(problem);
  console.log(`${files.length} files checked, ${problems.length} problems`);
  process.exitCode = problems.length ? 1 : 0;
}
