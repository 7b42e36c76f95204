import { Mic, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { soundType, type SoundType } from '#shared/dogs/contract.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { IconButton } from '../../platform/ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { LeashBadge, LEASH } from '../../platform/ui/layout/leash-badge.tsx';
import { useSettings } from '../settings/use-settings.ts';
import { playSoundType, playWhole } from './audio.ts';
import { SoundForm } from './sound-form.tsx';
import type { OwnedSound } from './sound-library.ts';
import { useSoundLibrary, useSounds } from './use-sounds.ts';

const DEFAULTS: Record<SoundType, string> = {
  leash_on: 'Beep and deep bark',
  leash_off: 'Friendly bark',
};

const STATES: Record<OwnedSound['state'], string> = {
  saved: 'Your own sound',
  waiting:
    'Your own sound, saved on this device. It will sync to your other devices when you’re online.',
  downloading:
    'Your own sound, still downloading to this device. Until then, the default sound plays.',
  refused: 'Our server rejected it',
};

/** The sound of one type: the owner's own or the default. */
function AlertSound({
  type,
  onChange,
  onRemove,
}: {
  type: SoundType;
  onChange: () => void;
  onRemove: (own: OwnedSound) => void;
}) {
  const { volume } = useSettings().settings;
  const own = useSounds().find((sound) => sound.sound_type === type);
  const name = own?.name ?? DEFAULTS[type];
  const play = () => (own?.bytes ? playWhole(own.bytes, volume) : playSoundType(type, volume));
  return (
    <li className="flex flex-col gap-2 rounded-control border border-line p-3.5">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="flex min-w-0 flex-col items-start gap-1.5">
          <LeashBadge type={type} />
          <p className="font-bold break-words">{name}</p>
        </div>
        <div className="flex">
          <IconButton Icon={Play} label={`Play ${name}`} onClick={() => void play()} />
          {own && (
            <IconButton Icon={Trash2} label={`Remove ${name}`} onClick={() => onRemove(own)} />
          )}
        </div>
      </div>
      <p role="status" className="text-sm text-soft">
        <span>{own ? STATES[own.state] : 'Default sound'}</span>
        {own?.problem && <span>{`: ${own.problem}`}</span>}
      </p>
      <Button look="secondary" onClick={onChange} Icon={Mic}>
        {own ? 'Replace' : 'Use your own'}
        <span className="sr-only"> for {LEASH[type].leash.toLowerCase()}</span>
      </Button>
    </li>
  );
}

/** The owner's two alert sounds. */
export function AlertSounds() {
  const library = useSoundLibrary();
  const [removing, setRemoving] = useState<OwnedSound | null>(null);
  const { opened, id, open, close } = useDialogParam('type');
  const picked = soundType.safeParse(id);
  const type = picked.success ? picked.data : 'leash_on';
  return (
    <Card title="Alert sounds" id="sounds">
      <div className="flex flex-col gap-3">
        <p className="text-soft">
          Played before an alert is read out. Your own sounds are available on all your devices.
        </p>
        <ul className="flex flex-col gap-2.5">
          {soundType.options.map((each) => (
            <AlertSound
              key={each}
              type={each}
              onChange={() => open('sound', each)}
              onRemove={setRemoving}
            />
          ))}
        </ul>
      </div>
      <ConfirmDialog
        open={removing !== null}
        title="Are you sure you want to remove this sound?"
        description={`${removing?.name ?? ''} will be deleted from all your devices. The default sound will play again.`}
        yes="Remove"
        no="Keep"
        onYes={() => removing && void library?.remove(removing.id)}
        onClose={() => setRemoving(null)}
      />
      <Modal
        open={opened === 'sound'}
        onClose={close}
        title={`Your own sound: ${LEASH[type].word.toLowerCase()}`}
        description="At most 10 seconds; an alert plays the first 3 of them."
      >
        <SoundForm key={type} type={type} onDone={close} />
      </Modal>
    </Card>
  );
}
