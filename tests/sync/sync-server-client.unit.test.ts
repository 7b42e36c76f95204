import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseAutomergeUrl, type AutomergeUrl } from '@automerge/automerge-repo';
import { expect, onTestFinished, test } from 'vitest';
import { ONE_UNAVAILABLE } from '#shared/sync/contract.ts';
import { documentIdFrom } from '#shared/sync/document-ids.ts';
import { forEachIsolated } from '../../api/platform/for-each-isolated.ts';
import { createSyncServerClient, newDocumentId } from '../../api/platform/sync-server-client.ts';
import { freePort } from '../../scripts/stack/ports.ts';

async function syncNode(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A node that counts its calls. */
async function answering(status = 200): Promise<{ url: string; calls(): number }> {
  let calls = 0;
  const url = await syncNode(({ url: path }, response) => {
    if (path !== '/health') calls++;
    response.writeHead(status).end(JSON.stringify({ value: 'stored', ready: true }));
  });
  return { url, calls: () => calls };
}

const downNode = async () => `http://127.0.0.1:${await freePort()}`;

test('new document ids are UUIDs, which every version of automerge-repo reads', () => {
  const ids = Array.from({ length: 100 }, newDocumentId);
  expect(new Set(ids).size).toBe(100);
  for (const id of [...ids, documentIdFrom(Buffer.alloc(32, 0xff))]) {
    const bytes = parseAutomergeUrl(`automerge:${id}` as AutomergeUrl).binaryDocumentId;
    expect(bytes).toHaveLength(16);
    const uuid = Buffer.from(bytes).toString('hex');
    expect(uuid).toMatch(/^.{12}4.{3}[89ab]/);
  }
});

test('all calls go to the first node while it answers', async () => {
  const [first, second] = [await answering(), await answering()];
  const documents = createSyncServerClient(`${first.url},${second.url}`, 'secret');
  for (let n = 0; n < 3; n++) expect(await documents.read('x')).toBe('stored');
  expect([first.calls(), second.calls()]).toEqual([3, 0]);
});

test('calls go to the next node when one is down or fails, and stay there', async () => {
  const [failing, last] = [await answering(503), await answering()];
  const urls = [await downNode(), failing.url, last.url].join(',');
  const documents = createSyncServerClient(urls, 'secret');
  for (let n = 0; n < 3; n++) expect(await documents.read('x')).toBe('stored');
  expect([failing.calls(), last.calls()]).toEqual([1, 3]);
});

test('a call that the first node refuses goes to no other node', async () => {
  const [refusing, other] = [await answering(413), await answering()];
  const documents = createSyncServerClient(`${refusing.url},${other.url}`, 'secret');
  await expect(documents.read('x')).rejects.toMatchObject({ status: 413 });
  expect(other.calls()).toBe(0);
});

test('a document that is unavailable by itself is neither asked for again nor taken for an outage', async () => {
  let calls = 0;
  const url = await syncNode((_, response) => {
    calls++;
    response.writeHead(503).end(JSON.stringify({ error: 'Not now', code: ONE_UNAVAILABLE }));
  });
  const documents = createSyncServerClient(url, 'secret');
  const done: string[] = [];
  const ids = ['1', '2', '3', '4', '5', '6', 'healthy'];
  const work = async (id: string) => {
    if (id !== 'healthy') await documents.read(id);
    done.push(id);
  };
  await expect(forEachIsolated(ids, work)).rejects.toMatchObject({ status: 503 });
  expect(done).toEqual(['healthy']);
  expect(calls).toBe(6);
});

test('the sync servers are ready if one of them is', async () => {
  const { url } = await answering();
  const isReady = (urls: string[]) => createSyncServerClient(urls.join(','), 'secret').isReady();
  expect(await isReady([await downNode(), url])).toBe(true);
  expect(await isReady([await downNode(), await downNode()])).toBe(false);
});
