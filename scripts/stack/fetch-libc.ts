import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exists, fillCache, writableCache } from './cache-dir.ts';

/** The glibc version that the embedded engine needs. */
const NEEDED: readonly [number, number] = [2, 38];
/** The Debian release whose C library is downloaded if the system's is older. */
const RELEASE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

const multiarch: Partial<Record<NodeJS.Architecture, { triplet: string; loader: string }>> = {
  x64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

const run = promisify(execFile);

/** How to start Node so that it can load the embedded engine: `fork(script, { execPath, execArgv })`. */
export interface NodeCommand {
  execPath: string;
  execArgv: string[];
}

/**
 * Returns plain Node if the C library is new enough; else Node under the loader of a newer release, which is downloaded
 * once with apt into the cache folder. Nothing is installed on the system.
 * @throws when the download fails, or the processor is unsupported
 */
export async function nodeWithNewLibc(log: (line: string) => void): Promise<NodeCommand> {
  const plain = { execPath: process.execPath, execArgv: [] };
  if (process.platform !== 'linux' || isNewEnough(libcVersion())) return plain;
  const machine = multiarch[process.arch];
  if (!machine) throw new Error(`The embedded MongoDB engine doesn't support ${process.arch}`);
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
  const path = join(cache, `libc-${RELEASE}-${process.arch}`);
  if (await exists(path)) return path;
  log(
    `This system's C library is older than ${NEEDED.join('.')}. Downloading Debian ${RELEASE}'s to ${path}`,
  );
  try {
    await fillCache(path, fetchLibc);
    return path;
  } catch (error) {
    throw new Error(
      `Couldn't download Debian ${RELEASE}'s C library with apt. Is the machine offline? ${reason(error)}`,
      { cause: error },
    );
  }
}

/** Downloads and unpacks the packages, without touching the state of the system's apt. @returns the folder with their files */
async function fetchLibc(dir: string): Promise<string> {
  const state = join(dir, 'state');
  const archives = join(dir, 'cache');
  await mkdir(join(state, 'lists', 'partial'), { recursive: true });
  await mkdir(join(archives, 'archives', 'partial'), { recursive: true });
  const sources = join(dir, 'libc.sources');
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
  // Without this option, an update that downloaded nothing still exits with 0.
  await apt('-o', 'APT::Update::Error-Mode=any', 'update');
  await apt('download', 'libc6', 'libgcc-s1');
  const packages = (await readdir(dir)).filter((name) => name.endsWith('.deb'));
  if (packages.length < 2)
    throw new Error(`apt-get downloaded only ${packages.join(', ') || 'nothing'}`);
  const root = join(dir, 'root');
  for (const name of packages) await run('dpkg-deb', ['-x', join(dir, name), root]);
  return root;
}

/** Returns the mirror that the system's apt uses. */
async function debianMirror(): Promise<string> {
  const folder = '/etc/apt/sources.list.d';
  const names = await readdir(folder).catch(() => []);
  const files = ['/etc/apt/sources.list', ...names.map((name) => join(folder, name))];
  for (const file of files) {
    if (!/\.(list|sources)$/.test(file)) continue;
    const found = mirrorIn(await readFile(file, 'utf8').catch(() => ''));
    if (found) return found;
  }
  throw new Error('No Debian mirror in /etc/apt');
}

/**
 * Returns the first Debian mirror in an apt source file.
 * @param sources in the one-line format (`deb http://… suite main`) or deb822 (`URIs: …`)
 */
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
