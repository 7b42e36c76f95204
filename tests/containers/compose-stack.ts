import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'yaml';
import { writableCache } from '../../scripts/stack/cache-dir.ts';
import { ROOT, run, withoutDigests } from './build-images.ts';

export const DOMAIN = 'leashwise.internal';
export const ORIGIN = `https://${DOMAIN}`;
/** The exit code of what got SIGKILL. */
export const KILLED = 137;
const HOSTS = '/etc/hosts';
const HOSTS_LINE = `127.0.0.1 ${DOMAIN} # npm run test:containers\n`;
const PODMAN_COMPOSE = 'podman-compose==1.6.0';
/** Between two rounds. */
const HEALTH_MS = 3_000;
const READY_MS = 600_000;
const SECRETS = ['SYNC_SECRET', 'MONGODB_ADMIN_PASSWORD', 'MONGODB_PASSWORD', 'NATS_PASSWORD'];
const LONG = { maxBuffer: 64 * 1024 * 1024 };

/** The stack of docker-compose.yml, in a folder as docs/operations.md describes it. */
export class ComposeStack {
  readonly folder: string;
  readonly #tools: string;
  #isChecking = true;

  private constructor(folder: string, tools: string) {
    this.folder = folder;
    this.#tools = tools;
    void this.#checkHealth();
  }

  /** Prepares a demonstration with a certificate of its own. @param certificates the folder of `full.pem` and `key.pem` */
  static async create(certificates: string): Promise<ComposeStack> {
    const folder = await mkdtemp(join(tmpdir(), 'leashwise-compose-'));
    const tools = join(await writableCache(), 'podman-compose-1.6.0');
    await run('pip', ['install', '--quiet', '--target', tools, PODMAN_COMPOSE]);
    // Podman 4.3 can't start a container one of whose requirements has ended: podman-compose has the order itself.
    const shim = join(folder, 'podman');
    await writeFile(
      shim,
      '#!/bin/bash\nargs=(); for each in "$@"; do case "$each" in --requires=*) ;; *) args+=("$each");; esac; done\nexec podman "${args[@]}"\n',
    );
    await chmod(shim, 0o755);
    for (const name of ['monitoring', 'deploy'])
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
    const compose = await readFile(join(ROOT, 'docker-compose.yml'), 'utf8');
    await writeFile(join(folder, 'docker-compose.yml'), withoutDigests(compose));
    const stack = new ComposeStack(folder, tools);
    await cp(join(ROOT, '.env.example'), stack.#env);
    stack.set('DOMAIN', DOMAIN);
    stack.set('TLS', '/certificates/full.pem /certificates/key.pem');
    stack.set('TLS_FOLDER', certificates);
    stack.set('ALLOW_SANDBOX', 'true');
    stack.set('ADMIN_EMAILS', 'admin@example.com');
    // One limit, for who writes without a pause while nodes are replaced.
    stack.set('RATE_LIMITS', 'GET /users/me=6000/60');
    stack.set('COMPOSE_PROFILES', 'monitoring');
    stack.set('PROMETHEUS_PORT', '19090');
    stack.set('BACKUP_KEY_FILE', './backup.key');
    stack.renewSecrets();
    await writeFile(join(folder, 'backup.key'), randomBytes(32).toString('hex'), { mode: 0o400 });
    await mkdir(join(folder, 'backups'), { mode: 0o700 });
    for (const name of ['backup.key', 'backups']) await chown(join(folder, name), 1000, 1000);
    if (!readFileSync(HOSTS, 'utf8').includes(HOSTS_LINE)) appendFileSync(HOSTS, HOSTS_LINE);
    return stack;
  }

  /** Sets a variable in .env. */
  set(name: string, value: string): void {
    const lines = readFileSync(this.#env, 'utf8');
    const line = new RegExp(`^#? ?${name}=.*$`, 'm');
    if (!line.test(lines)) throw new Error(`.env.example has no ${name}`);
    writeFileSync(this.#env, lines.replace(line, `${name}=${value}`));
  }

  /** Sets all secrets of .env to new ones, as on a new machine. */
  renewSecrets(): void {
    for (const name of SECRETS) this.set(name, randomBytes(32).toString('hex'));
  }

  /** Runs podman-compose. @returns what it prints, also on stderr. @throws with that if it fails */
  async compose(...args: string[]): Promise<string> {
    const program = join(this.#tools, 'bin/podman-compose');
    const { stdout, stderr } = await run(
      'python3',
      [program, '--podman-path', join(this.folder, 'podman'), ...args],
      { cwd: this.folder, env: { ...process.env, PYTHONPATH: this.#tools }, ...LONG },
    );
    return `${stdout}${stderr}`;
  }

  /** Starts everything, and waits until requests are answered. */
  async up(): Promise<void> {
    await this.compose('up', '--detach', '--no-build');
    await this.ready();
  }

  /** Replaces containers, as `docker compose up --no-deps --wait` does after a change: podman-compose replaces those that depend on them, too. */
  async replace(...services: string[]): Promise<void> {
    for (const service of services) {
      if ((await this.stop(service)) === KILLED)
        throw new Error(`${service} did not end within its stop_grace_period`);
      await run('podman', ['rm', `leashwise_${service}_1`]);
    }
    await this.compose('up', '--detach', '--no-build', '--no-deps', '--no-recreate', ...services);
    for (const service of services) await this.healthy(service);
  }

  /**
   * Stops a container as Compose does, with SIGKILL after its `stop_grace_period`.
   * @returns its exit code
   */
  async stop(service: string): Promise<number> {
    const text = await readFile(join(this.folder, 'docker-compose.yml'), 'utf8');
    const { services } = parse(text, { merge: true }) as {
      services: Record<string, { stop_grace_period?: string }>;
    };
    const [, seconds = ''] = /^(\d+)s$/.exec(services[service]?.stop_grace_period ?? '10s')!;
    await run('podman', ['stop', '--time', seconds, `leashwise_${service}_1`]);
    return Number(await this.#inspect(service, '{{.State.ExitCode}}'));
  }

  /** Runs a service once, as `docker compose run --rm` does. */
  runOnce = (service: string, ...args: string[]): Promise<string> =>
    this.compose('--profile', 'admin', 'run', '--rm', '-T', '--no-deps', service, ...args);

  /** Kills a container's process, as a crash does: `podman kill` counts as a stop. Waits until it runs again. */
  async crash(service: string): Promise<void> {
    const before = await this.#inspect(service, '{{.State.Pid}}');
    process.kill(Number(before), 'SIGKILL');
    await until(async () => {
      const [state, pid] = (await this.#inspect(service, '{{.State.Status}} {{.State.Pid}}')).split(
        ' ',
      );
      return state === 'running' && pid !== before;
    }, `${service} to restart`);
    await this.healthy(service);
  }

  /** All lines that a container has printed. */
  async logOf(service: string): Promise<string> {
    const { stdout, stderr } = await run('podman', ['logs', `leashwise_${service}_1`], LONG);
    return `${stdout}${stderr}`;
  }

  async healthy(service: string): Promise<void> {
    const format = '{{if .State.Healthcheck}}{{.State.Healthcheck.Status}}{{end}}';
    const isHealthy = async () => ['healthy', ''].includes(await this.#inspect(service, format));
    await until(isHealthy, `${service} to be healthy`);
  }

  async ready(): Promise<void> {
    const isReady = () => fetch(`${ORIGIN}/api/health`).then(({ ok }) => ok);
    await until(isReady, 'the product to be ready');
  }

  /** Returns the names of the alerts whose conditions hold now, whether or not they wait for their duration. */
  async alerts(): Promise<string[]> {
    // Not the series ALERTS: after a crash of Prometheus, it has those of before for minutes.
    const answer = await fetch('http://127.0.0.1:19090/api/v1/alerts');
    const { data } = (await answer.json()) as {
      data: { alerts: { labels: { alertname: string } }[] };
    };
    return data.alerts.map(({ labels }) => labels.alertname);
  }

  /** Asks Prometheus. @returns the value of each series */
  async query(expression: string): Promise<number[]> {
    const url = `http://127.0.0.1:19090/api/v1/query?query=${encodeURIComponent(expression)}`;
    const { data } = (await (await fetch(url)).json()) as {
      data: { result: { value: [number, string] }[] };
    };
    return data.result.map(({ value }) => Number(value[1]));
  }

  /** Ends everything and removes its data. */
  down = (): Promise<string> => this.compose('--profile', 'monitoring', 'down', '--volumes');

  async remove(): Promise<void> {
    this.#isChecking = false;
    await this.down().catch(() => {});
    writeFileSync(HOSTS, readFileSync(HOSTS, 'utf8').replace(HOSTS_LINE, ''));
    await rm(this.folder, { recursive: true, force: true });
  }

  get #env(): string {
    return join(this.folder, '.env');
  }

  async #inspect(service: string, format: string): Promise<string> {
    const args = ['inspect', `leashwise_${service}_1`, '--format', format];
    return (await run('podman', args)).stdout.trim();
  }

  /** Podman leaves that to systemd, which may not run here. */
  async #checkHealth(): Promise<void> {
    while (this.#isChecking) {
      const { stdout } = await run('podman', ['ps', '--quiet', '--filter', 'name=leashwise_']);
      const ids = stdout.split('\n').filter(Boolean);
      // One after the other: each starts several processes.
      for (const id of ids)
        await run('podman', ['healthcheck', 'run', id], { timeout: 20_000 }).catch(() => {});
      await wait(HEALTH_MS);
    }
  }
}

/** @throws when something takes too long */
async function until(isDone: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (!(await isDone().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
    await wait(500);
  }
}
