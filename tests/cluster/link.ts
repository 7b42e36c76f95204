import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { freePort } from '../../scripts/stack/ports.ts';

/** MongoDB's answers about its members are small. */
const MEMBERS_MAX_BYTES = 16 * 1024;

/** A TCP connection between two processes of this machine, which holds back what either side sends while it is cut. */
export class Link {
  readonly #server = createServer((near) => this.#connect(near));
  readonly #sockets = new Set<Socket>();
  #target = 0;
  #members: [string, string][] = [];
  #isCut = false;

  /** Listens on a free port with five digits. */
  async listen(): Promise<this> {
    this.#server.listen(await freePort(), '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * @param port of the other process
   * @param members addresses of MongoDB's members and the addresses to put in their place, of the same length
   */
  leadTo(port: number, members: [string, string][] = []): void {
    this.#target = port;
    this.#members = members;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  restore(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(near: Socket): void {
    const far = connect(this.#target, '127.0.0.1');
    const answers = this.#members.length > 0 ? replaceMembers(this.#members) : undefined;
    for (const [from, to, change] of [
      [near, far],
      [far, near, answers],
    ] as [Socket, Socket, ((data: Buffer) => Buffer) | undefined][]) {
      this.#sockets.add(from);
      from
        .on('data', (data: Buffer) => to.write(change ? change(data) : data))
        .on('end', () => to.end())
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(from);
          to.destroySoon();
        });
      if (this.#isCut) from.pause();
    }
  }
}

/** Replaces addresses in the answers of MongoDB: a client asks one member for the addresses of the others. */
function replaceMembers(members: [string, string][]): (data: Buffer) => Buffer {
  let waiting: Buffer = Buffer.alloc(0);
  return (data) => {
    waiting = Buffer.concat([waiting, data]);
    const whole: Buffer[] = [];
    // Each message begins with its length.
    for (let length = 0; waiting.length >= 4; waiting = waiting.subarray(length)) {
      length = waiting.readInt32LE(0);
      if (waiting.length < length) break;
      const message = waiting.subarray(0, length);
      whole.push(
        message.includes('hosts') && length < MEMBERS_MAX_BYTES
          ? replaced(message, members)
          : message,
      );
    }
    return Buffer.concat(whole);
  };
}

function replaced(message: Buffer, members: [string, string][]): Buffer {
  let text = message.toString('latin1');
  for (const [address, other] of members) text = text.replaceAll(address, other);
  return Buffer.from(text, 'latin1');
}
