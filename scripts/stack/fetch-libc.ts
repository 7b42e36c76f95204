import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exists, writableCache } from './cache-dir.ts';

/** What the embedded engine was built against. */
const NEEDED: readonly [number, number] = [2, 38];
/** The Debian release whose C library is fetched where the machine's own is older. */
const RELEASE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

const multiarch: Partial<Record<NodeJS.Architecture, { triplet: string; loader: string }>> = {
  x64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

const run = promisify(execFile);

/** How to start Node so that the embedded engine can be loaded: `fork(script, { execPath, execArgv })`. */
export interface NodeCommand {
  execPath: string;
  execArgv: string[];
}

/**
 * Plain Node where the C library is new enough; else Node under a newer release's loader, fetched
 * once with apt into a cache folder. Nothing is installed into the system.
 * @throws when that is needed and cannot be had, saying why
 */
export async function nodeWithNewLibc(log: (line: string) => void): Promise<NodeCommand> {
  const plain = { execPath: process.execPath, execArgv: [] };
  if (process.platform !== 'linux' || isNewEnough(libcVersion())) return plain;
  const machine = multiarch[process.arch];
  if (!machine) throw new Error(`no C library known for ${process.arch}`);
  const system = [`/usr/lib/${machine.triplet}`, `/lib/${machine.triplet}`];
  const libraries = join(await cachedLibc(log), 'usr', 'lib', machine.triplet);
  return {
    execPath: join(libraries, machine.loader),
    execArgv: ['--library-path', [libraries, ...system].join(':'), process.execPath],
  };
}

function libcVersion(): string {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime ?? '';
}

/** @param version such as `2.36`; empty for none (musl) */
function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

async function cachedLibc(log: (line: string) => void): Promise<string> {
  const cache = await writableCache();
  const kept = join(cache, `libc-${RELEASE}-${process.arch}`);
  if (await exists(kept)) return kept;
  log(
    `This system's C library is older than ${NEEDED.join('.')}: fetching Debian ${RELEASE}'s into ${kept}`,
  );
  const building = await mkdtemp(join(cache, 'building-'));
  try {
    await fetchLibc(building);
    // Another start may have been quicker: its folder is as good as ours.
    await rename(join(building, 'root'), kept).catch(async (error: unknown) => {
      if (!(await exists(kept))) throw error;
    });
    return kept;
  } catch (error) {
    throw new Error(
      `Debian ${RELEASE}'s C library could not be fetched with apt (is the machine offline?): ${reason(error)}`,
      { cause: error },
    );
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** Leaves the unpacked packages in `<dir>/root`, using an apt of our own beside the system's. */
async function fetchLibc(dir: string): Promise<void> {
  const state = join(dir, 'state');
  const archives = join(dir, 'cache');
  await mkdir(join(state, 'lists', 'partial'), { recursive: true });
  await mkdir(join(archives, 'archives', 'partial'), { recursive: true });
  const sources = join(dir, 'ours.sources');
  const signedBy = (await exists(KEYRING)) ? `Signed-By: ${KEYRING}\n` : '';
  await writeFile(
    sources,
    `Types: deb\nURIs: ${await debianMirror()}\nSuites: ${RELEASE}\nComponents: main\n${signedBy}`,
  );
  const options = Object.entries({
    'Dir::State': state,
    'Dir::State::status': '/dev/null',
    'Dir::Cache': archives,
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
    'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled': 'false',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '30',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (...args: string[]) =>
    run('apt-get', [...options, '-q', ...args], {
      cwd: dir,
      timeout: 240_000,
      env: { ...process.env, LC_ALL: 'C' },
    });
  // Without this, an update that fetched nothing still exits with 0.
  await apt('-o', 'APT::Update::Error-Mode=any', 'update');
  await apt('download', 'libc6', 'libgcc-s1');
  const packages = (await readdir(dir)).filter((name) => name.endsWith('.deb'));
  if (packages.length < 2)
    throw new Error(`apt-get download left ${packages.join(', ') || 'nothing'}`);
  for (const name of packages) await run('dpkg-deb', ['-x', join(dir, name), join(dir, 'root')]);
}

/** The mirror that this machine's own apt uses, in either of apt's two formats. */
async function debianMirror(): Promise<string> {
  const parts = '/etc/apt/sources.list.d';
  const names = await readdir(parts).catch(() => []);
  const files = ['/etc/apt/sources.list', ...names.map((name) => join(parts, name))];
  for (const file of files) {
    if (!/\.(list|sources)$/.test(file)) continue;
    const found = mirrorIn(await readFile(file, 'utf8').catch(() => ''));
    if (found) return found;
  }
  throw new Error('no Debian mirror in /etc/apt');
}

/** @param sources an apt source file: one line each (`deb http://… suite main`) or deb822 stanzas (`URIs: …`) */
export function mirrorIn(sources: string): string | undefined {
  for (const line of sources.split('\n')) {
    const uris = /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s/.exec(line) ?? /^URIs:\s*(\S+)/i.exec(line);
    const uri = uris?.[1];
    if (uri && /\/debian\/?$/.test(uri)) return uri;
  }
  return undefined;
}

function reason(error: unknown): string {
  const stderr = (error as { stderr?: string }).stderr?.trim();
  return stderr || (error instanceof Error ? error.message : String(error));
}
