import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Installs packages of Debian, with sudo where we are not root.
 * @throws when that is not possible
 */
export async function installPackages(...packages: string[]): Promise<void> {
  const command = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '--non-interactive', 'apt-get'];
  for (const args of [
    ['update', '-q'],
    ['install', '-qy', '--no-install-recommends', '--no-remove', ...packages],
  ]) {
    const [program = '', ...rest] = [...command, ...args];
    const child = spawn(program, rest, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`Couldn't install ${packages.join(' and ')}.`);
  }
}
