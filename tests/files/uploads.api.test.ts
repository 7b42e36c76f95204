import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { IMAGE_MAX_BYTES } from '#shared/files/rules.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeDog } from '../factories.ts';

const MiB = 1024 * 1024;
const IN_FLIGHT_MAX_BYTES = 64 * MiB;

let api: TestApi;
let directory: string;
const TMPDIR = process.env['TMPDIR'];
beforeAll(async () => {
  // The server reads it when it starts, so that only this test writes there.
  directory = await mkdtemp(join(tmpdir(), 'uploads-test-'));
  process.env['TMPDIR'] = directory;
  api = await startTestApi(inject('mongodbUri'), { RATE_LIMIT_SCALE: '1' });
});
afterAll(async () => {
  await api.close();
  const left = await readdir(directory);
  if (left.length > 0) throw new Error(`uploads were left: ${left.join()}`);
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  await rm(directory, { recursive: true });
});

/** Returns the number and size of the files of running uploads. */
async function spooled(path = directory): Promise<{ files: number; bytes: number }> {
  const found = { files: 0, bytes: 0 };
  // An entry may have been removed in the meantime.
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
    const inner = join(path, entry.name);
    const { files, bytes } = entry.isDirectory()
      ? await spooled(inner)
      : await stat(inner).then(
          ({ size }) => ({ files: 1, bytes: size }),
          () => ({ files: 0, bytes: 0 }),
        );
    found.files += files;
    found.bytes += bytes;
  }
  return found;
}

/** Returns a picture of nearly the maximum size. */
async function largePicture(color: string): Promise<Buffer> {
  const small = await sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
    .jpeg()
    .toBuffer();
  // Bytes after the end of a picture are ignored.
  return Buffer.concat([small, Buffer.alloc(IMAGE_MAX_BYTES - small.length - 1_000)]);
}

const headersOf = (person: TestPerson | null, network: string) => ({
  'x-forwarded-for': network,
  ...(person && {
    cookie: [...person.jar.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }),
});

/** Uploads a picture as a form on its own connection. */
async function send(
  path: string,
  { person, network }: { person: TestPerson | null; network: string },
  picture: Buffer,
): Promise<{ status: number; retryAfter: string | undefined; body: string }> {
  const form = Buffer.concat([
    Buffer.from('--x\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'),
    picture,
    Buffer.from('\r\n--x--\r\n'),
  ]);
  const sent = request(`${api.origin}/api${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      ...headersOf(person, network),
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': form.length,
    },
  });
  sent.end(form);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  sent.on('error', () => {});
  return {
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    body: await text(response),
  };
}

interface Announced {
  person?: TestPerson | null;
  network?: string;
  bytes?: number;
  type?: string;
}

/** Starts a request without sending its body. */
function announce(
  path: string,
  {
    person = null,
    network = '203.0.113.9',
    bytes = 5_000_000,
    type = 'multipart/form-data; boundary=x',
  }: Announced = {},
): { request: ClientRequest; answer: Promise<IncomingMessage> } {
  const sent = request(`${api.origin}/api${path}`, {
    method: 'POST',
    headers: { ...headersOf(person, network), 'content-type': type, 'content-length': bytes },
  });
  sent.on('error', () => {});
  sent.write(type === 'application/json' ? '{' : '--x\r\n');
  const answer = once(sent, 'response').then(([response]) =>
    (response as IncomingMessage).resume(),
  );
  answer.catch(() => {});
  return { request: sent, answer };
}

/** Expects a response before the body is sent. */
async function expectAnswered(path: string, settings: Announced, status: number): Promise<void> {
  const { request: sent, answer } = announce(path, settings);
  expect((await answer).statusCode).toBe(status);
  sent.destroy();
}

describe('a flood of uploads', () => {
  const COLORS = ['#f00', '#0f0', '#00f', '#ff0', '#0ff', '#f0f', '#888', '#fff'];

  test('accepts uploads up to the capacity and tells the rest to retry', async () => {
    const people = await Promise.all(
      COLORS.map(async (color, index) => {
        const person = await api.as(`owner${index}@example.com`);
        return { person, picture: await largePicture(color), network: `198.51.100.${index + 1}` };
      }),
    );
    const uploads = people.flatMap((owner) => Array.from({ length: 5 }, () => owner));
    const dogs = await Promise.all(uploads.map(({ person }) => makeDog(person)));
    let most = 0;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(most, (await spooled()).bytes);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const store = async (index: number) => {
      const { person, picture, network } = uploads[index]!;
      const answer = await send(`/dogs/${dogs[index]?.id}/image`, { person, network }, picture);
      const body = JSON.parse(answer.body) as { dog?: { image_key: string }; error?: string };
      return { index, ...answer, key: body.dog?.image_key, error: body.error };
    };
    let left = uploads.map((_, index) => index);
    const first = await Promise.all(left.map(store));
    isOver = true;
    await watching;
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200, 429, 503]));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(IN_FLIGHT_MAX_BYTES);
    for (const { status, retryAfter, error } of first.filter(({ key }) => !key)) {
      expect([status, Number(retryAfter) > 0]).toEqual([status, true]);
      expect(error).toBe('The server is busy. Try again in a moment.');
    }
    await expect.poll(() => spooled()).toEqual({ files: 0, bytes: 0 });
    // Retries succeed, and the stored pictures are correct.
    const answers = [...first];
    while (
      (left = left.filter((i) => !answers.some(({ index, key }) => index === i && key))).length
    )
      answers.push(...(await Promise.all(left.slice(0, 8).map(store))));
    for (const { index, key } of answers.filter((answer) => answer.key)) {
      const { person, picture } = uploads[index]!;
      const file = await person.jar.fetch(`${api.origin}/api/files/${key}`);
      const { dominant } = await sharp(Buffer.from(await file.arrayBuffer())).stats();
      expect(dominant).toEqual((await sharp(picture).stats()).dominant);
    }
  }, 120_000);

  test('uploads of one network leave room for others, and those of visitors for members', async () => {
    const person = await api.as('patient@example.com');
    const dog = await makeDog(person);
    const open: ClientRequest[] = [];
    /** Announces uploads and returns how many are refused. The others wait for their body. */
    const announced = async (
      networks: string[],
      count: number,
      member: TestPerson | null = null,
    ) => {
      const path = member ? `/dogs/${dog.id}/image` : '/charities';
      const refused: (number | undefined)[] = [];
      for (const network of networks) {
        const { request: sent, answer } = announce(path, {
          person: member,
          network,
          bytes: 2_000_000,
        });
        open.push(sent);
        answer.then(
          ({ statusCode }) => refused.push(statusCode),
          () => {},
        );
      }
      await expect.poll(() => refused).toEqual(Array.from({ length: count }, () => 429));
    };
    try {
      // A network gets a quarter of the 64 MiB, and all visitors together half of it.
      await announced(
        Array.from({ length: 10 }, () => '203.0.113.7'),
        2,
      );
      await announced(
        Array.from({ length: 12 }, (_, i) => `203.0.113.${i + 20}`),
        4,
      );
      await announced(['192.0.2.1'], 0, person);
    } finally {
      for (const sent of open) sent.destroy();
    }
    await expect.poll(() => spooled()).toEqual({ files: 0, bytes: 0 });
  });
});

describe('before the body of an upload arrives', () => {
  test('refuses unauthorized uploads before the body arrives', async () => {
    const owner = await api.as('owner@example.com');
    const other = await api.as('other@example.com');
    const outside = await api.as('outside@example.com', { access: false });
    const dog = await makeDog(owner);
    const path = `/dogs/${dog.id}/image`;
    await expectAnswered(path, {}, 401);
    await expectAnswered(path, { person: outside }, 403);
    await expectAnswered(path, { person: other }, 404);
    await expectAnswered('/sounds/nothing/recording', { person: other }, 404);
    await expectAnswered('/admin/advertisement-images', { person: other }, 403);
    await expectAnswered('/advertiser-ads', {}, 404);
    await expectAnswered('/location-based-ads', {}, 404);
    await expectAnswered(path, { person: owner, bytes: 6_000_000 }, 413);
  });

  test('refuses rate-limited uploads before the body arrives', async () => {
    const from = { person: null, network: '203.0.113.50' };
    const tooMany = Array.from({ length: 60 }, () => send('/charities', from, Buffer.alloc(1)));
    expect(new Set((await Promise.all(tooMany)).map(({ status }) => status))).toEqual(
      new Set([400]),
    );
    await expectAnswered('/charities', { ...from, bytes: 400 }, 429);
  });
});

test('aborted uploads leave no files and free their capacity', async () => {
  const person = await api.as('leaving@example.com');
  const dog = await makeDog(person);
  // Sequentially, ten times what an account may upload concurrently.
  for (let count = 0; count < 20; count++) {
    const { request: sent } = announce(`/dogs/${dog.id}/image`, { person });
    sent.write('content-disposition: form-data; name="image"; filename="dog.jpg"\r\n\r\n');
    sent.write(Buffer.alloc(100_000));
    await expect.poll(async () => (await spooled()).bytes, { interval: 5 }).toBeGreaterThan(0);
    sent.destroy();
    await expect.poll(() => spooled(), { interval: 5 }).toEqual({ files: 0, bytes: 0 });
  }
  const from = { person, network: '203.0.113.9' };
  const answer = await send(`/dogs/${dog.id}/image`, from, await largePicture('#123456'));
  expect(answer.status).toBe(200);
});

test('stalled JSON bodies use up the capacity of their own network only', async () => {
  const begin = (network: string) =>
    announce('/access-codes/validate', { network, bytes: 100_000, type: 'application/json' });
  const open = Array.from({ length: 100 }, () => begin('203.0.113.60'));
  const first = await Promise.race(open.map(({ answer }) => answer));
  expect(first.statusCode).toBe(429);
  expect(Number(first.headers['retry-after'])).toBeGreaterThan(0);
  const other = begin('203.0.113.61');
  other.request.end(`"code":"X"${' '.repeat(100_000 - 12)}}`);
  expect((await other.answer).statusCode).toBe(400);
  for (const { request: sent } of open) sent.destroy();
});
