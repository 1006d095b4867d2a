"""The parameter table of the car: every dimension that a rule might limit. `layout` derives the rest."""

from dataclasses import dataclass

from samples.parameter_table import parameter


@dataclass(frozen=True)
class Parameters:
    """Lengths in millimetres, angles in degrees. The datum is the ground below the front axle's middle."""

    # Wheels and stance
    wheelbase: float = parameter(1550, "mm", "distance between the front and the rear axle")
    front_track: float = parameter(1200, "mm", "distance between the middle planes of the front tyres")
    rear_track: float = parameter(1150, "mm", "distance between the middle planes of the rear tyres")
    tyre_diameter: float = parameter(457, "mm", "outer diameter of a tyre")
    tyre_width: float = parameter(190, "mm", "width of a tyre")
    rim_diameter: float = parameter(254, "mm", "bead seat diameter of a rim")
    ground_clearance: float = parameter(40, "mm", "height of the flat floor above the ground")
    brake_disc_diameter: float = parameter(210, "mm", "outer diameter of a brake disc")
    brake_disc_thickness: float = parameter(5, "mm", "thickness of a brake disc")

    # Frame
    tube_diameter: float = parameter(25.4, "mm", "outer diameter of the frame tubes")
    tube_wall: float = parameter(1.6, "mm", "wall thickness of the frame tubes")
    hoop_diameter: float = parameter(30, "mm", "outer diameter of the main hoop and the front hoop")
    hoop_wall: float = parameter(2.4, "mm", "wall thickness of the main hoop and the front hoop")
    bulkhead_position: float = parameter(540, "mm", "distance of the front bulkhead ahead of the front axle")
    bulkhead_width: float = parameter(340, "mm", "width of the front bulkhead between tube axes")
    bulkhead_height: float = parameter(330, "mm", "height of the front bulkhead between tube axes")
    front_hoop_position: float = parameter(200, "mm", "distance of the front hoop behind the front axle")
    front_hoop_height: float = parameter(680, "mm", "height of the top of the front hoop above the ground")
    main_hoop_position: float = parameter(1010, "mm", "distance of the main hoop behind the front axle")
    main_hoop_height: float = parameter(1190, "mm", "height of the top of the main hoop above the ground")
    main_hoop_width: float = parameter(570, "mm", "width of the main hoop at its knee between tube axes")
    main_hoop_brace_angle: float = parameter(
        36, "deg", "angle between the main hoop braces and the main hoop, side view"
    )
    main_hoop_brace_drop: float = parameter(140, "mm", "distance of the brace node below the top of the main hoop")
    front_hoop_brace_drop: float = parameter(45, "mm", "distance of the brace node below the top of the front hoop")
    side_impact_height: float = parameter(265, "mm", "height of the upper side impact tube above the lower one")
    harness_bar_height: float = parameter(640, "mm", "height of the shoulder harness bar above the ground")

    # Front impact
    bulkhead_plate_thickness: float = parameter(4, "mm", "thickness of the anti-intrusion plate")
    impact_attenuator_length: float = parameter(220, "mm", "length of the impact attenuator")
    impact_attenuator_width: float = parameter(240, "mm", "width of the impact attenuator at its base")
    impact_attenuator_height: float = parameter(160, "mm", "height of the impact attenuator at its base")

    # Cockpit
    steering_wheel_diameter: float = parameter(260, "mm", "outer diameter of the steering wheel")
    steering_wheel_offset: float = parameter(130, "mm", "distance of the steering wheel behind the front hoop")
    steering_wheel_height: float = parameter(540, "mm", "height of the middle of the steering wheel above the ground")
    seat_height: float = parameter(603.4, "mm", "height of the seat's upper edge above the ground")
    seat_width: float = parameter(400, "mm", "outer width of the seat")
    head_restraint_width: float = parameter(180, "mm", "width of the head restraint")
    head_restraint_height: float = parameter(280, "mm", "height of the head restraint")
    firewall_thickness: float = parameter(2, "mm", "thickness of the firewall")

    # Accumulator
    accumulator_length: float = parameter(190, "mm", "length of the accumulator container along the car")
    accumulator_width: float = parameter(380, "mm", "width of the accumulator container")
    accumulator_height: float = parameter(220, "mm", "height of the accumulator container without lid")
    accumulator_floor_thickness: float = parameter(3.2, "mm", "thickness of the accumulator container's floor")
    accumulator_wall_thickness: float = parameter(2.3, "mm", "thickness of the accumulator container's walls and lid")

    # Drivetrain
    motor_diameter: float = parameter(188, "mm", "outer diameter of the motor")
    chain_distance: float = parameter(170, "mm", "distance of the motor's axis ahead of the rear axle")
    drive_sprocket_diameter: float = parameter(60, "mm", "pitch diameter of the sprocket on the motor")
    rear_sprocket_diameter: float = parameter(190, "mm", "pitch diameter of the sprocket on the differential")
    half_shaft_diameter: float = parameter(24, "mm", "diameter of the half shafts")

    # Aerodynamics
    front_wing_overhang: float = parameter(600, "mm", "reach of the front wing ahead of the front tyres")
    front_wing_span: float = parameter(1240, "mm", "width of the front wing over its endplates")
    front_wing_chord: float = parameter(240, "mm", "chord of the main plane of the front wing")
    front_wing_clearance: float = parameter(50, "mm", "height of the lowest point of the front wing above the ground")
    rear_wing_overhang: float = parameter(220, "mm", "reach of the rear wing behind the rear tyres")
    rear_wing_span: float = parameter(900, "mm", "width of the rear wing over its endplates")
    rear_wing_chord: float = parameter(350, "mm", "chord of the main plane of the rear wing")
    rear_wing_height: float = parameter(1170, "mm", "height of the top of the rear wing's endplates above the ground")
    endplate_thickness: float = parameter(4, "mm", "thickness of the wings' endplates")
    undertray_thickness: float = parameter(3, "mm", "thickness of the undertray")
    undertray_width: float = parameter(960, "mm", "width over the floors of both sides")
