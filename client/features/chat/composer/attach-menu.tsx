import { ImagePlus, LocateFixed, MapPin, Plus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';

const item =
  'flex min-h-12 cursor-pointer items-center gap-3 rounded-control px-3 font-bold data-[highlighted]:bg-sunken data-[highlighted]:outline-none';

/** Adds photos, a place, or where the user is now. */
export function AttachMenu({
  isDisabled,
  onPhotos,
  onPlace,
  onHere,
}: {
  isDisabled: boolean;
  onPhotos: (files: File[]) => void;
  onPlace: () => void;
  onHere: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        data-testid="chat-photo"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          if (files.length > 0) onPhotos(files);
          // Allows choosing the same files again.
          event.target.value = '';
        }}
      />
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger ref={trigger} asChild disabled={isDisabled}>
          <IconButton
            Icon={Plus}
            label="Add a photo or place"
            className="size-12 rounded-full border border-line-strong"
          />
        </DropdownMenu.Trigger>
        <DropdownMenu.Content
          align="start"
          side="top"
          sideOffset={6}
          collisionPadding={12}
          className="z-40 rounded-card border border-line bg-surface p-1.5 text-ink shadow-lift"
        >
          <DropdownMenu.Item className={item} onSelect={() => input.current?.click()}>
            <ImagePlus aria-hidden className="size-5 shrink-0" />
            Photos
          </DropdownMenu.Item>
          <DropdownMenu.Item
            className={item}
            onSelect={() => {
              // The item is removed with the menu, and the dialog must return the focus to an element that exists.
              trigger.current?.focus();
              onPlace();
            }}
          >
            <MapPin aria-hidden className="size-5 shrink-0" />
            Place
          </DropdownMenu.Item>
          <DropdownMenu.Item
            className={item}
            onSelect={() => {
              trigger.current?.focus();
              onHere();
            }}
          >
            <LocateFixed aria-hidden className="size-5 shrink-0" />
            Where I am now
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
    </>
  );
}
