"""Finds faces in raw pictures from standard input. Writes one JSON list of [x, y, width, height] per picture.

Arguments: width and height of the pictures in pixels, four bytes per pixel (red, green, blue, unused).
With --check it only tests if OpenCV and its cascades are installed (exit status 0).
"""

import json
import os
import sys

import cv2
import numpy

# Where Debian, other systems and OpenCV's own package install the cascades.
PLACES = [
    "/usr/share/opencv4/haarcascades",
    "/usr/share/opencv/haarcascades",
    "/usr/local/share/opencv4/haarcascades",
    getattr(getattr(cv2, "data", None), "haarcascades", ""),
]


def cascade(name):
    for place in PLACES:
        path = os.path.join(place, name)
        if place and os.path.exists(path):
            found = cv2.CascadeClassifier(path)
            if not found.empty():
                return found
    sys.exit("cascade not found: " + name)


def main():
    cv2.setNumThreads(1)
    front = cascade("haarcascade_frontalface_default.xml")
    side = cascade("haarcascade_profileface.xml")
    if sys.argv[1:] == ["--check"]:
        return
    width, height = int(sys.argv[1]), int(sys.argv[2])
    # Smaller faces are not the subject of a picture, and to find them takes most of the time.
    min_size = max(20, min(width, height) * 2 // 33)
    size = width * height * 4
    number = 0
    while True:
        data = sys.stdin.buffer.read(size)
        if len(data) < size:
            return
        picture = numpy.frombuffer(data, numpy.uint8).reshape(height, width, 4)
        grey = cv2.cvtColor(picture, cv2.COLOR_RGBA2GRAY)
        small = cv2.equalizeHist(cv2.resize(grey, None, fx=2 / 3, fy=2 / 3, interpolation=cv2.INTER_AREA))
        faces = found(front, small, 1.15, min_size)
        # The search for side views is slow, so it runs on every third picture.
        if not faces and number % 3 == 0:
            faces = found_from_side(side, small, min_size)
        number += 1
        print(json.dumps([[value * 3 // 2 for value in box] for box in faces]), flush=True)


def found(finder, grey, step, min_size):
    boxes = finder.detectMultiScale(grey, step, 5, minSize=(min_size, min_size))
    return [[int(value) for value in box] for box in boxes]


def found_from_side(finder, grey, min_size):
    boxes = found(finder, grey, 1.2, min_size)
    # The cascade only knows faces that look to the left. A mirrored picture finds the others.
    mirrored = found(finder, cv2.flip(grey, 1), 1.2, min_size)
    return boxes + [[grey.shape[1] - x - w, y, w, h] for x, y, w, h in mirrored]


main()
