/** What of the MongoDB driver's client is needed here. */
interface Client {
  db(name: string): { command(command: { hello: 1 }): Promise<{ setName?: string }> };
}

/** In the journal before it is answered. */
export interface Durable {
  w: 'majority' | 1;
  journal: true;
}

/**
 * What 'durable' means: in the journal of most of a replica set's disks, so that it outlives the primary, or of the only one.
 * A server by itself must not be asked for a majority: it then answers before its journal has the write (seen with the
 * embedded engine; see docs/decisions/0035-one-server-is-no-majority.md).
 * @param client that is connected
 */
export async function durable(client: Client): Promise<Durable> {
  const { setName } = await client.db('admin').command({ hello: 1 });
  return { w: setName === undefined ? 1 : 'majority', journal: true };
}
