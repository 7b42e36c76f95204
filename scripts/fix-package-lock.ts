import { readFile, writeFile } from 'node:fs/promises';

/**
 * `npm run complete-lock`, after each `npm install`: if a registry lacks the packages of another platform, npm omits them from
 * package-lock.json, and `npm ci` then rejects the file. This adds them again; npm only downloads them on their own platform.
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

/** Returns the platform from a package's name. */
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

/** Whether a package at `from` resolves to this version, as Node resolves it. */
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
console.log(`Added ${added} packages`);
