import { decode, Encoder } from 'cbor-x';
import type { RefusalReason } from '#shared/sync/refusals.ts';
import { expect, expectAccessible, test } from '../../browser.ts';
import { addDog, untilSaved } from '../../my-dogs.ts';

const encoder = new Encoder({ tagUint8Array: false, useRecords: false });

test('the chip says how many changes the server refused and why, on a small screen', async ({
  owner,
}) => {
  const { page, user } = await owner({
    name: 'Robin',
    dogs: [],
    context: { viewport: { width: 360, height: 740 } },
  });
  let reason: RefusalReason | null = null;
  await page.routeWebSocket(/\/sync$/, (device) => {
    const server = device.connectToServer();
    device.onMessage((message) => {
      const { type, documentId, senderId, targetId } = decode(message as Buffer);
      if (!reason || type !== 'sync' || `automerge:${documentId}` !== user.documents.card)
        return server.send(message);
      const refused = {
        type: 'refused',
        senderId: targetId,
        targetId: senderId,
        documentId,
        reason,
      };
      device.send(encoder.encode(refused));
    });
  });
  await page.goto('/home');
  await untilSaved(page);
  reason = 'full';
  const chip = page.getByRole('banner').getByRole('button', { name: 'Not all saved' });
  const about = page.getByRole('dialog', { name: 'About saving' });
  const expectWords = async (words: string) => {
    await chip.click();
    await expect(about).toContainText(words);
    const { x, width } = (await about.boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(360);
  };

  await addDog(page, { name: 'Rex', sound_type: 'leash_on' });
  await expectWords(
    'All other changes are saved. Our server didn’t save 1 change. There’s no space left for it. It’s stored on this device, and we’ll send it again later.',
  );
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await addDog(page, { name: 'Bella', sound_type: 'leash_off' });
  await expectWords(
    'Our server didn’t save 2 changes. There’s no space left for them. They’re stored on this device, and we’ll send them again later.',
  );

  // Once the cause is gone, what was refused is sent again, and the chip says so.
  reason = null;
  await page.keyboard.press('Escape');
  await page.clock.install();
  await page.reload();
  await page.clock.fastForward('02:00');
  await untilSaved(page);
});
