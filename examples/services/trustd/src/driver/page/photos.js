// Photos are drawn anew before they are kept: smaller than 500 kB, and without where and when they were taken.

const MOST = 500_000;
const SIDE = 2048;

export async function smaller(file) {
  const image = await createImageBitmap(file);
  let scale = Math.min(1, SIDE / Math.max(image.width, image.height));
  for (;;) {
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    for (const quality of [0.85, 0.7, 0.55]) {
      const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
      if (!blob) throw new Error("The photo cannot be drawn.");
      if (blob.size < MOST) {
        image.close();
        return blob.arrayBuffer();
      }
    }
    scale /= 2;
  }
}

export async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
