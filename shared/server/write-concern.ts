/** The part of `MongoClient` that is used here. */
interface Client {
  db(name: string): {
    command(command: { hello: 1 }): Promise<{
      /** Of a member of a replica set. */
      setName?: string;
      /** Of a member of a replica set that is not initiated yet. */
      isreplicaset?: boolean;
      /** `isdbgrid` where mongos answers. */
      msg?: string;
    }>;
  };
}

/** In the journal before it is answered. */
export interface Durable {
  w: 'majority' | 1;
  journal: true;
}

/**
 * The write concern of what must not be lost: in the journal of most members of a replica set, or of each shard behind mongos, so
 * that it outlives a primary; in the journal of a standalone server. A standalone server must not be asked for a majority: it then
 * answers before its journal has the write (seen with the embedded engine; see docs/decisions/0035-use-w-1-on-standalone-servers-majority-on-replica-sets.md).
 * @param client that is connected
 */
export async function durable(client: Client): Promise<Durable> {
  const { setName, isreplicaset, msg } = await client.db('admin').command({ hello: 1 });
  const isStandalone = setName === undefined && !isreplicaset && msg !== 'isdbgrid';
  return { w: isStandalone ? 1 : 'majority', journal: true };
}
