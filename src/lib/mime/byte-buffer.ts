/** Bytes that come in pieces, in one piece of memory: an array of small ones would take a hundred times as much. */
export class ByteBuffer {
  private bytes = new Uint8Array();
  size = 0;

  add(piece: Uint8Array): void {
    const size = this.size + piece.length;
    if (size > this.bytes.length) {
      const larger = new Uint8Array(Math.max(size, this.bytes.length * 2, 256));
      larger.set(this.bytes.subarray(0, this.size));
      this.bytes = larger;
    }
    this.bytes.set(piece, this.size);
    this.size = size;
  }

  /** All bytes so far. Later pieces do not change them. */
  taken(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.size);
  }
}
