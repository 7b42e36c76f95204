import {
  createDog,
  deleteDog,
  listDogs,
  updateDog,
  uploadDogImage,
  type Dog,
  type DogFields,
} from '#shared/dogs/contract.ts';
import { DOGS_MAX } from '#shared/dogs/rules.ts';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { readCard } from '#shared/profile/document.ts';
import { serve, serveAdmitted, type Announced } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { changeOwn } from '../../platform/user-documents.ts';
import { refuseContent } from '../content-rules/refuse-content.ts';
import { cards as cardRows } from '../profile/collections.ts';

type OfDog = Announced<{ id: string }, unknown>;

function dogIn(card: unknown, id: string): Dog {
  const dog = readCard(card).dogs.find((each) => each.id === id);
  if (!dog) throw notFound('Dog');
  return dog;
}

/** An owner’s dogs, which are part of the owner’s card. Only the caller’s own card is used. */
export function mountDogs(api: Api): void {
  const { services } = api;
  const { images } = services;
  // Devices also remove dogs, in the document: their pictures are deleted later.
  images.spare(async (files) => {
    const owners = [...new Set(files.map((file) => file.owner_user_id))];
    const cards = await cardRows(services.db)
      .find({ _id: { $in: owners } })
      .toArray();
    return cards.flatMap(({ dogs }) => dogs.map(({ image_key }) => image_key));
  });

  async function dogsOf(userId: string): Promise<Dog[]> {
    const card = await cardRows(services.db).findOne({ _id: userId });
    return card?.dogs ?? [];
  }

  async function dogOf(userId: string, id: string): Promise<Dog> {
    const dog = (await dogsOf(userId)).find((each) => each.id === id);
    if (!dog) throw notFound('Dog');
    return dog;
  }

  /** Applies the word rules to what an owner wrote of a dog. @param before what is stored, which newer rules do not refuse */
  async function refuseWords(
    user_id: string,
    content_id: string,
    { name, breed }: Pick<DogFields, 'name' | 'breed'>,
    before?: Dog,
  ): Promise<void> {
    const fields = {
      ...(name !== before?.name && { name }),
      ...(breed && breed !== before?.breed && { breed }),
    };
    if (Object.keys(fields).length > 0)
      await refuseContent(services, { user_id, content_type: 'dog_name', content_id, fields });
  }

  serve(api, listDogs, async ({ caller }) => ({ dogs: await dogsOf(caller.user._id) }));

  serve(api, createDog, async ({ body, caller: { user }, freshId }) => {
    const { id = freshId() } = body;
    await refuseWords(user._id, id, body);
    const created_at = new Date().toISOString();
    const card = await changeOwn(services, user, {
      kind: 'card',
      name: 'dog.add',
      input: { ...body, id, created_at },
    });
    const dog = readCard(card).dogs.find((each) => each.id === id);
    if (!dog) throw new HttpError(409, `You can add up to ${DOGS_MAX} dogs`, { code: 'too_many' });
    return { dog };
  });

  serve(api, updateDog, async ({ params: { id }, body, caller: { user } }) => {
    await refuseWords(user._id, id, body, await dogOf(user._id, id));
    return {
      dog: dogIn(
        await changeOwn(services, user, { kind: 'card', name: 'dog.edit', input: { ...body, id } }),
        id,
      ),
    };
  });

  serve(api, deleteDog, async ({ params: { id }, caller: { user } }) => {
    const { image_key } = await dogOf(user._id, id);
    await changeOwn(services, user, { kind: 'card', name: 'dog.remove', input: { id } });
    if (image_key) await images.remove(image_key, user._id);
    return {};
  });

  const admitOwner = async ({ params: { id }, caller: { user } }: OfDog) =>
    void (await dogOf(user._id, id));
  serveAdmitted(
    api,
    uploadDogImage,
    admitOwner,
    async ({ params: { id }, caller: { user }, file }) => {
      const { image_key: old } = await dogOf(user._id, id);
      const image_key = await images.put(file.path, user._id);
      const card = await changeOwn(services, user, {
        kind: 'card',
        name: 'dog.image',
        input: { id, image_key },
      });
      if (old) await images.remove(old, user._id);
      return { dog: dogIn(card, id) };
    },
  );
}
