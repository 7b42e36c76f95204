import { resolve } from 'node:path';
import { build, type InlineConfig, type Rolldown } from 'vite';

type Chunk = Rolldown.OutputChunk;

/** What some screens have in common, in one file. */
export interface Layer {
  file: string;
  /** The modules with which they begin, by their paths in the client's folder. */
  begins: string[];
  /** Whether all that they load comes in files of layers. Of the other ones, only what they share with these. */
  isWhole?: boolean;
  /** Whether what other screens use, too, is left out. */
  isAlone?: boolean;
}

/**
 * Says which file a module goes into, so that a screen comes in a few. Left to itself the bundler makes one for each
 * set of screens that a module is used by, and a phone takes longer over a hundred files than over what is in them.
 * What a screen uses of a library only the bundler knows: it is asked by a trial build.
 * @param config how the client is built, without a rule for its files
 * @param layers what is used by two of them is in the file of the first
 * @returns the name of a module's file; null where the bundler decides
 */
export async function filesByLayers(
  config: InlineConfig,
  layers: Layer[],
): Promise<(moduleId: string) => string | null> {
  const chunks = await tryToBuild(config);
  const known = layers.map((layer) => ({ ...layer, modules: modulesOf(layer, layers, chunks) }));
  return (id) => {
    const isWanted = known.some(({ isWhole, modules }) => isWhole && modules.has(id));
    return isWanted ? (known.find(({ modules }) => modules.has(id))?.file ?? null) : null;
  };
}

async function tryToBuild(config: InlineConfig): Promise<Map<string, Chunk>> {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false, minify: false },
  });
  if (!('output' in built)) throw new Error('the trial build gave nothing');
  return new Map(
    built.output.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each]] : [])),
  );
}

const hasAny = ({ moduleIds }: Chunk, begins: string[]) =>
  begins.some((begin) => moduleIds.includes(resolve('client', begin)));

function modulesOf(
  { begins, isAlone }: Layer,
  layers: Layer[],
  chunks: Map<string, Chunk>,
): Set<string> {
  const all = [...chunks.values()];
  const first = all.filter((chunk) => hasAny(chunk, begins));
  if (first.length < begins.length) throw new Error(`some of ${begins.join()} is no beginning`);
  const loaded = loadedBy(first, chunks);
  const named = layers.flatMap((layer) => layer.begins);
  const others = all.filter(
    (chunk) => chunk.isDynamicEntry && !hasAny(chunk, named) && !loaded.has(chunk),
  );
  const elsewhere = loadedBy(isAlone ? others : [], chunks);
  return new Set([...loaded].flatMap((chunk) => (elsewhere.has(chunk) ? [] : chunk.moduleIds)));
}

function loadedBy(first: Chunk[], chunks: Map<string, Chunk>): Set<Chunk> {
  const seen = new Set(first);
  for (const chunk of seen)
    for (const name of chunk.imports) {
      const next = chunks.get(name);
      if (next) seen.add(next);
    }
  return seen;
}
