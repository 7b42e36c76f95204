import { readFile, writeFile } from 'node:fs/promises';

/**
 * `npm run complete-lock`, after any `npm install`: a registry that does not serve a package for some other platform
 * makes npm leave it out of package-lock.json, and `npm ci` then refuses the file. This puts such packages back, as
 * npm writes them elsewhere; they are only ever fetched on their own platform.
 */
interface LockedPackage {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}
interface Lock {
  packages: Record<string, LockedPackage & { os?: string[]; cpu?: string[]; libc?: string[] }>;
}

const FILE = new URL('../package-lock.json', import.meta.url);
const SYSTEMS = /\b(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)\b/;
const PROCESSORS =
  /\b(arm64|arm|ia32|loong64|mips64el|mips64|ppc64|riscv64|s390x|wasm32|x64)(?=-|$|le\b)/;

/** What the name of a platform's package says of the platform. */
function platformOf(name: string): { os?: string[]; cpu?: string[]; libc?: string[] } {
  const os = SYSTEMS.exec(name)?.[1];
  const cpu = PROCESSORS.exec(name)?.[1];
  const libc = name.endsWith('-musl') ? 'musl' : name.endsWith('-gnu') ? 'glibc' : undefined;
  return {
    ...(cpu && { cpu: [cpu] }),
    ...(os && { os: [os] }),
    ...(os === 'linux' && libc && { libc: [libc] }),
  };
}

/** Whether a package at `from` finds this version in the lock, looking upward as Node does. */
function finds(lock: Lock, from: string, name: string, version: string): boolean {
  for (
    let at = from;
    at !== '';
    at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))
  ) {
    const nested = lock.packages[`${at}/node_modules/${name}`];
    if (nested) return nested.version === version;
  }
  return lock.packages[`node_modules/${name}`]?.version === version;
}

const lock = JSON.parse(await readFile(FILE, 'utf8')) as Lock;
let added = 0;
for (const [path, { optionalDependencies, dev }] of Object.entries(lock.packages))
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    if (!/^\d/.test(version) || finds(lock, path, name, version)) continue;
    const top = `node_modules/${name}`;
    const place = lock.packages[top] && path !== '' ? `${path}/${top}` : top;
    lock.packages[place] = { version, ...platformOf(name), ...(dev && { dev }), optional: true };
    added++;
  }
const [root, ...rest] = Object.entries(lock.packages);
rest.sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(root ? [root, ...rest] : rest);
await writeFile(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages put back`);
