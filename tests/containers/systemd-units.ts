import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { findMongod } from '../../scripts/test/real-mongod.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const UNITS = join(ROOT, 'deploy/systemd');
/** Users of the units that no one else has, as numbers: they need no entry in /etc/passwd. */
const UIDS: Record<string, number> = {
  leashwise: 64_001,
  'leashwise-mongodb': 64_002,
  caddy: 64_003,
};
const DYNAMIC_UID = 64_004;

/** What systemd does with the units of deploy/systemd, where it doesn't run: users, folders, variables, commands, and stops. */
export class SystemdUnits {
  readonly folder: string;
  readonly #running = new Map<string, ChildProcess>();
  readonly #output = new Map<string, string>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Prepares settings and a key as docs/operations.md says. @param settings lines of leashwise.env */
  static async create(settings: Record<string, string>): Promise<SystemdUnits> {
    const units = new SystemdUnits(await mkdtemp(join(tmpdir(), 'leashwise-systemd-')));
    const { folder } = units;
    await chmod(folder, 0o755);
    for (const name of ['lib', 'run', 'etc']) await mkdir(join(folder, name));
    // Other users can't read the cache of root.
    await copyFile(await findMongod(process.env, console.log), join(folder, 'mongod'));
    await chmod(join(folder, 'mongod'), 0o755);
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(folder, 'etc/leashwise.env'), lines.join(''), { mode: 0o600 });
    const key = join(folder, 'etc/mongodb.key');
    await run('sh', ['-c', `openssl rand -base64 756 > ${key}`]);
    await chown(key, UIDS['leashwise-mongodb']!, UIDS['leashwise-mongodb']!);
    await chmod(key, 0o400);
    return units;
  }

  /** Has systemd check the units. @returns what it says */
  async verify(): Promise<string> {
    const folder = join(this.folder, 'units');
    await mkdir(folder, { recursive: true });
    const names = await readdir(UNITS);
    const units = names.filter((name) => /\.(service|timer|target)$/.test(name));
    for (const name of units) {
      const text = await readFile(join(UNITS, name), 'utf8');
      const mongod = text.replaceAll('/usr/bin/mongod', join(this.folder, 'mongod'));
      await writeFile(join(folder, name.replace('@.', '@1.')), mongod);
      await writeFile(join(folder, name), mongod);
    }
    const paths = units.map((name) => join(folder, name.replace('@.', '@1.')));
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', ...paths], {
      env: { ...process.env, SYSTEMD_LOG_LEVEL: 'warning' },
    });
    return stdout + stderr;
  }

  /** Starts a service; of type `oneshot`, waits until it has ended. @param name such as `leashwise-api@1` @throws if a command fails */
  async start(name: string): Promise<string> {
    const unit = await this.#read(name);
    await this.#makeFolders(unit);
    for (const command of unit.all('ExecStartPre')) await this.#runAs(unit, command);
    const command = unit.one('ExecStart')!;
    if (unit.one('Type') === 'oneshot') return this.#runAs(unit, command);
    const child = this.#spawn(unit, command);
    this.#running.set(name, child);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) =>
        this.#output.set(name, `${this.#output.get(name) ?? ''}${data.toString()}`.slice(-4_000)),
      );
    return '';
  }

  /** Runs the command with which a service reads its settings again. */
  async reload(name: string): Promise<string> {
    const unit = await this.#read(name);
    return this.#runAs(unit, unit.one('ExecReload')!);
  }

  /** Stops a service. @returns its exit code and signal @throws if systemd would kill it */
  async stop(name: string): Promise<[number | null, NodeJS.Signals | null]> {
    const unit = await this.#read(name);
    const child = this.#running.get(name)!;
    this.#running.delete(name);
    if (child.exitCode !== null) throw new Error(`${name} had ended: ${this.outputOf(name)}`);
    const seconds = Number(unit.one('TimeoutStopSec') ?? 90);
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(seconds * 1000) });
    child.kill('SIGTERM');
    return (await ended) as [number | null, NodeJS.Signals | null];
  }

  /** The names of the services that run, last first. */
  running(): string[] {
    return [...this.#running.keys()].toReversed();
  }

  /** The last lines of a service. */
  outputOf(name: string): string {
    return this.#output.get(name) ?? '';
  }

  async remove(): Promise<void> {
    for (const child of this.#running.values())
      if (child.exitCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
    await rm(this.folder, { recursive: true, force: true });
  }

  async #read(name: string): Promise<Unit> {
    const [, template, instance = ''] = /^(.*?)(?:@(.*))?$/.exec(name)!;
    const isTemplate = name.includes('@');
    const file = join(UNITS, `${template}${isTemplate ? '@' : ''}.service`);
    const text = (await readFile(file, 'utf8'))
      .replaceAll(/^#.*\n/gm, '')
      .replaceAll('\\\n', ' ')
      .replaceAll('%i', instance)
      .replaceAll('%t', join(this.folder, 'run'))
      .replaceAll('%S', join(this.folder, 'lib'))
      .replaceAll('/var/lib', join(this.folder, 'lib'))
      .replaceAll('/etc/leashwise', join(this.folder, 'etc'))
      .replaceAll('/usr/bin/mongod', join(this.folder, 'mongod'))
      .replaceAll('/opt/leashwise', ROOT);
    const settings = new Map<string, string>();
    const unit = new Unit(text, settings);
    for (const assigned of unit.all('Environment').flatMap(words)) assign(settings, assigned);
    const environment = unit.one('EnvironmentFile');
    if (environment)
      for (const line of (await readFile(environment, 'utf8')).split('\n'))
        if (/^\w+=/.test(line)) assign(settings, line);
    return unit;
  }

  async #makeFolders(unit: Unit): Promise<void> {
    for (const [kind, parent] of [
      ['StateDirectory', 'lib'],
      ['RuntimeDirectory', 'run'],
    ] as const) {
      const name = unit.one(kind);
      if (!name) continue;
      const path = join(this.folder, parent, name);
      await mkdir(path, { recursive: true });
      for (const each of basename(path) === path ? [path] : [path, join(path, '..')])
        if (each !== join(this.folder, parent)) await chown(each, unit.uid, unit.uid);
      await chmod(path, Number.parseInt(unit.one(`${kind}Mode`) ?? '755', 8));
    }
  }

  #spawn(unit: Unit, command: string): ChildProcess {
    const isAbleToListen = unit.one('AmbientCapabilities') === 'CAP_NET_BIND_SERVICE';
    const capability = '+net_bind_service';
    const as = ['--reuid', String(unit.uid), '--regid', String(unit.uid), '--clear-groups'];
    const rights = isAbleToListen
      ? ['--inh-caps', capability, '--ambient-caps', capability]
      : ['--inh-caps=-all'];
    return spawn('setpriv', [...as, ...rights, '--no-new-privs', ...unit.words(command)], {
      cwd: unit.one('WorkingDirectory') ?? '/',
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: join(this.folder, 'lib'),
        ...Object.fromEntries(unit.settings),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async #runAs(unit: Unit, command: string): Promise<string> {
    const child = this.#spawn(unit, command);
    let output = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (data: Buffer) => (output += data.toString()));
    const [code] = (await once(child, 'close')) as [number];
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${output}`);
    return output;
  }
}

class Unit {
  readonly settings: ReadonlyMap<string, string>;
  readonly #text: string;

  constructor(text: string, settings: ReadonlyMap<string, string>) {
    this.#text = text;
    this.settings = settings;
  }

  get uid(): number {
    return UIDS[this.one('User') ?? ''] ?? DYNAMIC_UID;
  }

  all(key: string): string[] {
    return Array.from(
      this.#text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm')),
      ([, value]) => value!,
    );
  }

  one(key: string): string | undefined {
    return this.all(key).at(-1);
  }

  /** The words of a command, with its variables. */
  words(command: string): string[] {
    return words(command).map((word) =>
      word.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => this.settings.get(name) ?? ''),
    );
  }
}

/** Words may be in double quotes. */
const words = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare!);

function assign(settings: Map<string, string>, assigned: string): void {
  const at = assigned.indexOf('=');
  settings.set(assigned.slice(0, at), assigned.slice(at + 1));
}
