/** The part of `MongoClient` that is used here. */
interface Client {
  db(name: string): {
    command(command: { hello: 1 }): Promise<{
      /** Of a member of a replica set. */
      setName?: string;
      /** Of a member of a replica set that was not initiated yet. */
      isreplicaset?: boolean;
      /** `isdbgrid` from mongos. */
      msg?: string;
    }>;
  };
}

/** A write is acknowledged after it was journaled. */
export interface Durable {
  w: 'majority' | 1;
  journal: true;
}

/**
 * Returns the write concern of data that must not be lost: journaled on a majority of a replica set (or of each shard behind mongos),
 * so that it survives a failover, or on a standalone server. With `majority`, a standalone server may acknowledge a write before it is
 * journaled (decision 1).
 * @param client a connected client
 */
export async function durable(client: Client): Promise<Durable> {
  const { setName, isreplicaset, msg } = await client.db('admin').command({ hello: 1 });
  const isStandalone = setName === undefined && !isreplicaset && msg !== 'isdbgrid';
  return { w: isStandalone ? 1 : 'majority', journal: true };
}
