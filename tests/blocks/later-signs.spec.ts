import { MongoClient } from 'mongodb';
import { createBlock } from '#shared/blocks/contract.ts';
import { pairs } from '../../api/features/relationships/collections.ts';
import { expect, screenHeading } from '../browser.ts';
import { messages, openChat, stateOf, write } from '../chat/chat-screen.ts';
import { befriend } from '../friends/befriend.ts';
import { testWith } from '../own-product.ts';

/** A product with the real delay of the signs of a block; the others’ product skips it. */
const test = testWith({ BLOCK_DELAY_SCALE: '1' });

test('a blocked friend still sees the friendship and writes, and sees its end later', async ({
  owner,
  product,
}) => {
  const [ann, bob] = [await owner({ name: 'Ann' }), await owner({ name: 'Bob' })];
  await befriend(ann, bob);
  await bob.page.goto('/social');
  const friend = bob.page.getByRole('main').getByText('Ann', { exact: true });
  await expect(friend).toBeVisible();
  await ann.page.goto('/social');
  await expect(ann.page.getByRole('main').getByText('Bob', { exact: true })).toBeVisible();

  await ann.call(createBlock, { body: { blocked_user_id: bob.user.id } });
  await expect(ann.page.getByText('No friends yet')).toBeVisible();
  // The change of the blocker’s documents has been delivered, and none to the blocked friend.
  await expect(friend).toBeVisible();
  await bob.page.reload();
  await expect(friend).toBeVisible();
  await openChat(bob.page, ann);
  await write(bob.page, 'Are you there?');
  await expect(stateOf(bob.page, 'Are you there?')).toHaveAttribute('data-delivery', 'server');

  await bob.page.goto('/social');
  await expect(friend).toBeVisible();
  const mongodb = await MongoClient.connect(product.mongodbUri);
  try {
    const until = new Date(Date.now() - 1);
    const { matchedCount } = await pairs(mongodb.db('leashwise')).updateOne(
      { users: { $all: [ann.user.id, bob.user.id] }, earlier_view: { $exists: true } },
      { $set: { 'earlier_view.until': until } },
    );
    expect(matchedCount).toBe(1);
  } finally {
    await mongodb.close();
  }
  await expect(bob.page.getByText('No friends yet')).toBeVisible({ timeout: 45_000 });
  await bob.page.goto(`/chat/${ann.user.id}`);
  await expect(screenHeading(bob.page)).toBeVisible();
  await expect(messages(bob.page)).toHaveCount(0);
});
