import { ImagePlus, MapPin, Plus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';

const item =
  'flex min-h-12 cursor-pointer items-center gap-3 rounded-control px-3 font-bold data-[highlighted]:bg-sunken data-[highlighted]:outline-none';

/** Adds a photo or a place to a message. */
export function AttachMenu({
  isDisabled,
  onPhoto,
  onPlace,
}: {
  isDisabled: boolean;
  onPhoto: (file: File) => void;
  onPlace: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        data-testid="chat-photo"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onPhoto(file);
          // Allows choosing the same file again.
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
            Photo
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
        </DropdownMenu.Content>
      </DropdownMenu.Root>
    </>
  );
}
