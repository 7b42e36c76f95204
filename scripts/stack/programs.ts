import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Log } from './logs.ts';

/** Returns the full path of a program on PATH, if there is one. */
export function onPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, program))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a program that does not notice when this process exits: on Linux, the kernel sends it SIGTERM then.
 * @param command its full path and arguments
 */
export function spawnProgram(command: string[], env: NodeJS.ProcessEnv, log: Log): ChildProcess {
  const setpriv = process.platform === 'linux' && onPath('setpriv', env);
  const [program = '', ...args] = setpriv
    ? [setpriv, '--pdeathsig', 'TERM', '--', ...command]
    : command;
  return spawn(program, args, { stdio: ['ignore', log.fd, log.fd], env, detached: true });
}
