"""Finds faces in raw pictures: reads them from standard input, writes a JSON list of [x, y, width, height] for each.

Arguments: width and height of the pictures in pixels, four bytes a pixel (red, green, blue, nothing).
With --check alone it only says whether OpenCV and its cascades are there (exit status 0).
"""

import json
import os
import sys

import cv2
import numpy

# Where Debian, others and OpenCV's own package put the cascades.
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
    # Smaller faces cannot carry a picture, and cost most of the time.
    least = max(20, min(width, height) * 2 // 33)
    size = width * height * 4
    number = 0
    while True:
        data = sys.stdin.buffer.read(size)
        if len(data) < size:
            return
        picture = numpy.frombuffer(data, numpy.uint8).reshape(height, width, 4)
        grey = cv2.cvtColor(picture, cv2.COLOR_RGBA2GRAY)
        small = cv2.equalizeHist(cv2.resize(grey, None, fx=2 / 3, fy=2 / 3, interpolation=cv2.INTER_AREA))
        faces = found(front, small, 1.15, least)
        # The search from the side is dear: every third picture.
        if not faces and number % 3 == 0:
            faces = found_from_side(side, small, least)
        number += 1
        print(json.dumps([[value * 3 // 2 for value in box] for box in faces]), flush=True)


def found(finder, grey, step, least):
    boxes = finder.detectMultiScale(grey, step, 5, minSize=(least, least))
    return [[int(value) for value in box] for box in boxes]


def found_from_side(finder, grey, least):
    boxes = found(finder, grey, 1.2, least)
    # The cascade knows faces that look to the left; the others are found in the mirror.
    mirrored = found(finder, cv2.flip(grey, 1), 1.2, least)
    return boxes + [[grey.shape[1] - x - w, y, w, h] for x, y, w, h in mirrored]


main()
