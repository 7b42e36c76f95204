import { ShownError } from '../../http/shown-error.ts';

/** A document has no room for a change, which our server would refuse. It was not made. */
export class NoRoomError extends ShownError {
  constructor() {
    super(
      'There’s no space left for this, so it wasn’t saved. Remove what you don’t need anymore.',
    );
    this.name = 'NoRoomError';
  }
}
